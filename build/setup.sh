#!/bin/sh
# Make .venv with pinned versions; install missing system packages where that is allowed, else say how.
set -eu
cd "$(dirname "$0")/.."

may_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1
}

install_system() {
    if may_install; then
        echo "Installing system packages: $*"
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    elif command -v apt-get >/dev/null 2>&1; then
        echo "Please run this line, then the same command again:" >&2
        echo "    sudo apt-get install -y $*" >&2
        exit 1
    else
        echo "Please install what Debian calls: $*" >&2
        echo "Then run the same command again." >&2
        exit 1
    fi
}

# 3.12 and 3.11 first: what is pinned was tried with these most. The system's own is built to be fast: the tests
# take it a seventh less time than one that was compiled without profiles, as version managers do.
find_python() {
    for candidate in /usr/bin/python3.12 /usr/bin/python3.11 python3.12 python3.11 python3 python; do
        if "$candidate" -c "import sys; $1; sys.exit(sys.version_info < (3, 11))" >/dev/null 2>&1; then
            echo "$candidate"
            return
        fi
    done
}

python=$(find_python 'import ensurepip, venv')
if [ -z "$python" ]; then
    python=$(find_python pass)
    if [ -z "$python" ]; then install_system python3 python3-venv; else install_system python3-venv; fi
    python=$(find_python 'import ensurepip, venv')
fi
[ -n "$python" ] || { echo "Casespan needs Python 3.11 or newer; please install it and try again." >&2; exit 1; }

[ -x .venv/bin/python ] && .venv/bin/python -c 'import pip' >/dev/null 2>&1 || "$python" -m venv --clear .venv
install() {
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --use-pep517 --no-compile "$@"
}
# First what builds the few libraries that come as source. A file that has not the pinned hash is refused.
sed -n '/^setuptools==/,/[^\\]$/p' build/constraints.txt >.venv/setuptools.txt
install --require-hashes --requirement .venv/setuptools.txt
install --require-hashes --requirement build/constraints.txt
install --no-deps --editable .
# Compiled on all processors, where pip takes one. Some libraries carry files that are no Python.
.venv/bin/python -m compileall -qq -j 0 .venv || true
libraries=$(.venv/bin/python -m app.display)
# shellcheck disable=SC2086 # one word per package
[ -z "$libraries" ] || install_system $libraries
