"""An address is this machine only where every numeric address behind it is."""

from __future__ import annotations

import pytest

from extractors.llm.hosts import ServerAddress, server_address
from extractors.model.errors import ServerError, UnknownNameError


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1:11434", "http://127.0.0.1:11434"),
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("http://127.0.0.1", "http://127.0.0.1:80"),
        ("https://127.0.0.1/", "https://127.0.0.1:443"),
        ("HTTPS://localhost:8443", "https://localhost:8443"),
        ("localhost", "http://localhost:11434"),
        ("LOCALHOST.:1", "http://localhost:1"),
        ("http://[::1]:11434", "http://[::1]:11434"),
        ("::1", "http://[::1]:11434"),
        ("", "http://127.0.0.1:11434"),
        (":8080", "http://127.0.0.1:8080"),
        ("0.0.0.0:11500", "http://127.0.0.1:11500"),
        ("[::]:11500", "http://[::1]:11500"),
        ("::ffff:127.0.0.1", "http://127.0.0.1:11434"),
        ("127.9.8.7", "http://127.9.8.7:11434"),
    ],
)
def test_loopback_addresses_are_read_as_the_server_itself_writes_them(host: str, url: str) -> None:
    address = server_address(host)
    assert (address.url, address.loopback) == (url, True)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("192.0.2.7", "http://192.0.2.7:11434"),
        ("https://192.0.2.7", "https://192.0.2.7:443"),
        ("[2001:db8::1]:80", "http://[2001:db8::1]:80"),
        ("::ffff:192.0.2.7", "http://192.0.2.7:11434"),
        ("169.254.1.1", "http://169.254.1.1:11434"),
        ("10.0.0.1", "http://10.0.0.1:11434"),
    ],
)
def test_other_addresses_are_not_loopback(host: str, url: str) -> None:
    address = server_address(host)
    assert (address.url, address.loopback) == (url, False)


@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f000001",
        "127.1",
        "0177.0.0.1",
        "127.0.0.256",
        "1.2.3.4.5",
        "ftp://127.0.0.1",
        "://127.0.0.1",
        "127.0.0.1:0",
        "127.0.0.1:65536",
        "127.0.0.1:http",
        "127.0.0.1:11434/v1",
        "127.0.0.1?x=1",
        "127.0.0.1#x",
        "local host",
        "127.0.0.1\r\nX-Header: 1",
        "127.0.0.1\\gpu.example.org",
        "lócalhost",
        "127.0.0.\u0661",
        "[127.0.0.1]x",
        "fe80::1%eth0",
    ],
)
def test_nonsense_is_answered_with_how_to_write_an_address(host: str) -> None:
    with pytest.raises(UnknownNameError, match=r"write it like 127\.0\.0\.1:11434"):
        server_address(host)


@pytest.mark.parametrize(
    ("host", "url", "path"),
    [
        ("127.0.0.1:8000/v1", "http://127.0.0.1:8000", "/v1"),
        ("https://localhost/proxy/v1/", "https://localhost:443", "/proxy/v1"),
        ("[::1]:8000/v1", "http://[::1]:8000", "/v1"),
        ("127.0.0.1:8000/", "http://127.0.0.1:8000", ""),
    ],
)
def test_a_path_is_taken_where_it_may_stand(host: str, url: str, path: str) -> None:
    address = server_address(host, with_path=True)
    assert (address.url, address.path, address.loopback) == (url, path, True)


@pytest.mark.parametrize("path", ["/../v1", "/v1?x=1", "/v1#x", "//v1", "/a b", "/v1\r\nX: 1", "/%2e%2e"])
def test_a_path_that_is_more_than_names_is_refused(path: str) -> None:
    with pytest.raises(UnknownNameError, match="more than plain names"):
        server_address(f"127.0.0.1:8000{path}", with_path=True)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(UnknownNameError) as refused:
        server_address("http://ann:secret@127.0.0.1")
    assert "secret" not in str(refused.value)


def test_a_name_that_nobody_knows_is_named() -> None:
    with pytest.raises(ServerError, match=r"gpu\.invalid"):
        server_address("gpu.invalid")


def test_one_address_elsewhere_makes_a_name_remote() -> None:
    assert not ServerAddress("http", "localhost.example.org", 80, ("127.0.0.1", "192.0.2.7")).loopback


def test_localhost_is_never_looked_up() -> None:
    assert server_address("localhost").addresses == ("127.0.0.1", "::1")
    assert server_address("ollama.localhost").addresses == ("127.0.0.1", "::1")
