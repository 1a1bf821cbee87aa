"""Extraction from more reports than a project holds: a folder of Parquet files, made part by part."""
