"""The command line: parse, call, print. Exit codes: 0 done, 2 a user's mistake, 1 ours."""

import gc
import os
import sys
from typing import Annotated, NoReturn

import typer

from factlink.cli import auditing, exporting, forgetting, importing, linking, measuring, reading, serving
from factlink.errors import FactlinkError, describe_os_error, one_line
from factlink.execution.memory import check_address_space

app = typer.Typer(
    name="factlink",
    help="Finds which accounts on different networks belong to the same person, without labelled pairs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _version(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"factlink {installed('factlink')}")
        raise typer.Exit


COMMANDS = (
    linking.demo,
    importing.import_,
    linking.plan,
    linking.link,
    linking.duplicates,
    reading.explain,
    reading.report,
    reading.review,
    reading.judgements,
    linking.relink,
    measuring.evaluate,
    measuring.hide,
    reading.persons,
    exporting.export,
    linking.add,
    serving.serve,
    auditing.audit,
    forgetting.forget,
    exporting.linkers,
    exporting.settings,
    measuring.bench,
    measuring.trace,
)
for command in COMMANDS:
    app.command(command.__name__.rstrip("_"))(command)


def main() -> None:
    """Runs the command line; a user's mistake or a system error is one sentence on stderr."""
    os.umask(0o077)  # runs hold personal data
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that wait for work take no processor time
    gc.set_threshold(100_000)  # what is read and imported stays, and would be looked through again and again
    for word in sys.argv:
        if not word.isascii() and any("\ud800" <= letter <= "\udfff" for letter in word):
            _refuse(f"'{word}' is not UTF-8; type it again, or rename the file")
    try:
        check_address_space()
        try:
            app()
        finally:
            _flush()
    except FactlinkError as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(describe_os_error(error))
    except MemoryError:
        _refuse("not enough memory; see factlink plan, set --memory, or link parts of the networks")
    except KeyboardInterrupt:
        typer.echo("factlink: interrupted; the same command continues from the last checkpoint", err=True)
        sys.exit(130)


def _flush() -> None:
    """Flushes stdout; output that cannot be written is not tried again when Python ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _refuse(message: str) -> NoReturn:
    typer.echo(f"factlink: {one_line(message)}", err=True)
    sys.exit(2)
