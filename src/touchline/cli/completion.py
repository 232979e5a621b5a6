"""`touchline completion SHELL`: the completion script for a shell."""

from __future__ import annotations

import click

from touchline.cli._options import emit, json_option


@click.command(
    epilog="""\b
Examples:
  eval "$(touchline completion bash)"        for this session
  touchline completion zsh > ~/.zfunc/_touchline
  touchline completion fish > ~/.config/fish/completions/touchline.fish"""
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@json_option
@click.pass_context
def command(ctx: click.Context, shell: str, as_json: bool) -> None:
    """Print the completion script for a shell."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(ctx.find_root().command, {}, "touchline", "_TOUCHLINE_COMPLETE").source()
    if as_json:
        emit({"shell": shell, "script": script})
    else:
        click.echo(script)
