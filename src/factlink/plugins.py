"""Parts that other packages add, found by entry points: linkers, encoders, importers and exporters.

    [project.entry-points."factlink.linkers"]
    shared-names = "my_package.linker:SharedNamesLinker"

A plugin is imported when it is used, never before; one that cannot be imported is named in one sentence.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from factlink.errors import SettingError

LINKERS, ENCODERS = "factlink.linkers", "factlink.encoders"
IMPORTERS, EXPORTERS = "factlink.importers", "factlink.exporters"
GROUPS = (LINKERS, ENCODERS, IMPORTERS, EXPORTERS)


@cache
def plugins_of(group: str) -> Mapping[str, EntryPoint]:
    """The plugins of a group by name, sorted; two packages that claim one name are refused."""
    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=group), key=lambda each: (each.name, each.value)):
        if point.name in found and found[point.name].value != point.value:
            raise SettingError(
                f"two installed packages have a plugin '{point.name}' for {group} ({found[point.name].value} and "
                f"{point.value}); uninstall one of them"
            )
        found[point.name] = point
    return found


def load_plugin(group: str, name: str, needs: tuple[str, ...] = ()) -> Any:
    """What a plugin's entry point names; it must have the attributes that its group needs."""
    points = plugins_of(group)
    if name not in points:
        known = ", ".join(points) or "none is installed"
        raise SettingError(f"no plugin for {group} is called '{name}'; there are: {known}")
    point = points[name]
    try:
        loaded = point.load()
    except Exception as error:  # a plugin may raise anything while it is imported
        raise SettingError(
            f"plugin '{name}' ({point.value}) cannot be loaded: {error!r}; update or uninstall it"
        ) from error
    lacking = [need for need in needs if not hasattr(loaded, need)]
    if lacking:
        raise SettingError(f"plugin '{name}' ({point.value}) has no {', '.join(lacking)}; see the guide to plugins")
    return loaded
