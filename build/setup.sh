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
# First what installs the rest, on all processors, and what builds the few libraries that come as source. A file that
# has not the pinned hash is refused. Where pip was told of another index, that one is asked.
pip() { .venv/bin/python -m pip --disable-pip-version-check "$@"; }
for tool in setuptools uv; do sed -n "/^$tool==/,/[^\\\\]\$/p" build/constraints.txt; done >.venv/first.txt
pip install --quiet --no-compile --require-hashes --requirement .venv/first.txt
index=${PIP_INDEX_URL:-$(pip config get global.index-url 2>/dev/null || true)}
[ -z "$index" ] || export UV_DEFAULT_INDEX="$index"
install() { .venv/bin/uv pip install --quiet --python .venv/bin/python --no-build-isolation "$@"; }
install --compile-bytecode --require-hashes --requirement build/constraints.txt
install --no-deps --editable .
# The first window opens, and the first tests begin, without compiling all of it.
.venv/bin/python -m compileall -q -j 0 app extractors tests
libraries=$(.venv/bin/python -m app.display)
# shellcheck disable=SC2086 # one word per package
[ -z "$libraries" ] || install_system $libraries
