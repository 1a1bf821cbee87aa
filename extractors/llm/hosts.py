"""Where a model server is, and whether that is this machine, by the address that is connected to."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass

from extractors.model.errors import RemoteRefusedError, ServerError, UnknownNameError

DEFAULT_HOST = "127.0.0.1:11434"
PORTS = {"": 11434, "http": 80, "https": 443}
LOOPBACK = ("127.0.0.1", "::1")

_PLACE = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]*))(?::(?P<port>[0-9]{1,5}))?/?")
_PATH = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A server: `host` as it is called, `addresses` the numeric ones it stood for when it was looked up.

    Connections go to `addresses` and never look the name up again, so that what was checked is what is used.
    `path` is what stands before every path that is asked for, "" for nothing.
    """

    scheme: str
    host: str
    port: int
    addresses: tuple[str, ...]
    path: str = ""

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def loopback(self) -> bool:
        """Whether every address is this machine itself."""
        return all(ipaddress.ip_address(address).is_loopback for address in self.addresses)


def server_address(host: str, *, with_path: bool = False) -> ServerAddress:
    """Read a server's address as OLLAMA_HOST writes it: name or IP address, with scheme and port if need be.

    The port is 11434 where neither port nor scheme is given, 80 or 443 where only the scheme is; 0.0.0.0 and
    an empty host mean this machine. A path is taken only `with_path`. Raises UnknownNameError for what is no
    address, ServerError for a name that nobody knows.
    """
    scheme, separator, place = host.strip().rpartition("://")
    scheme = scheme.lower()
    if "@" in place:
        raise UnknownNameError(
            "The server's address holds a user name or password; leave it out, none is sent."
        )
    if scheme not in PORTS or bool(separator) != bool(scheme):
        raise _no_address(host, "it begins with something other than http:// or https://")
    path = ""
    if with_path and "/" in place:
        place, slash, path = place.partition("/")
        path = f"{slash}{path}".rstrip("/")
        if not _PATH.fullmatch(path):
            raise _no_address(host, "its path holds more than plain names")
    match = _PLACE.fullmatch(f"[{place}]" if _is_ipv6(place) else place)
    if match is None:
        raise _no_address(host, "a name or IP address and a port are all that it may hold")
    port = int(match["port"]) if match["port"] else PORTS[scheme]
    if not 0 < port < 65536:
        raise _no_address(host, "ports go from 1 to 65535")
    name = (match["six"] or match["name"] or LOOPBACK[0]).lower().removesuffix(".")
    if not name:
        raise _no_address(host, "it has no name")
    addresses = _addresses(name, port, host)
    if _is_ip(name):
        name = addresses[0]
    return ServerAddress(scheme or "http", name, port, addresses, path)


def refuse_other_machine(address: ServerAddress, allow_remote: bool) -> None:
    """Raise RemoteRefusedError where the address is not this machine and that is not allowed."""
    if not address.loopback and not allow_remote:
        target = ", ".join(address.addresses)
        raise RemoteRefusedError(
            f"The reports' text would leave this machine for {address.url} ({target}); add "
            "--allow-remote if it may."
        )


def refuse_remote_model(model: str, remote: str, allow_remote: bool) -> None:
    """Raise RemoteRefusedError for a model that runs on another machine, unless the user allowed it."""
    if remote and not allow_remote:
        raise RemoteRefusedError(
            f"The model {model} runs on {remote}, and the reports' text would go there; add "
            "--allow-remote if it may."
        )


def _no_address(host: str, reason: str) -> UnknownNameError:
    shown = "".join(letter if letter.isprintable() else "?" for letter in host)[:100]
    return UnknownNameError(
        f'"{shown}" is no address of a server, since {reason}; write it like {DEFAULT_HOST} or https://gpu.example.org.'
    )


def _addresses(name: str, port: int, host: str) -> tuple[str, ...]:
    if _is_ip(name):
        return (_plain(name),)
    if _NUMBER.fullmatch(name.rpartition(".")[2]):
        raise _no_address(host, "an IP address is written as four numbers from 0 to 255")
    if name == "localhost" or name.endswith(".localhost"):
        return LOOPBACK
    try:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ServerError(f"No machine called {name} can be found: check --host and the network.") from error
    return tuple(dict.fromkeys(_plain(str(place[4][0])) for place in found))


def _plain(text: str) -> str:
    """The address that is really meant: IPv4 inside IPv6 as IPv4, "any address" as this machine."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_unspecified:
        return LOOPBACK[address.version == 6]
    return str(address)


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _is_ipv6(text: str) -> bool:
    return ":" in text and _is_ip(text)
