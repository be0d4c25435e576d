"""Reading the memory file of the reference MCP memory server: a graph as JSON lines.

Pure. An observation becomes a text that begins with the name of its entity, since alone it would not say of whom it
is true; a relation becomes a sentence of its three parts. The entity's type becomes a tag.
"""

from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.exchange_records import (
    Collector,
    Record,
    SourceFile,
    as_list,
    as_object,
    labels,
    read_json,
    read_text,
)
from workspace_memory.domain.item import Kind


def collect_graph(file: SourceFile, collector: Collector) -> None:
    """Take a file of entities and relations. Raises: InvalidRequest for a file that is no text."""
    name, content = file
    for number, line in enumerate(read_text(name, content).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            facts = as_object(read_json(where, line))
        except InvalidRequest as error:
            collector.refuse(where, error.reason.removeprefix(f"{where}: "))
            continue
        _take(where, facts, collector)


def _take(where: str, facts: dict[str, object] | None, collector: Collector) -> None:
    match facts:
        case {"type": "entity", "name": str(name)}:
            observations = as_list(facts.get("observations")) or []
            if not observations:
                collector.skip("entities without observations")
            for number, observation in enumerate(observations, start=1):
                place = where if len(observations) == 1 else f"{where}, observation {number}"
                if isinstance(observation, str) and observation.strip():
                    tags = labels([facts.get("entityType")])
                    collector.add(Record(place, f"{name}: {observation}", Kind.FACT, tags))
                else:
                    collector.refuse(place, "is no text")
        case {"type": "relation", "from": str(start), "to": str(end), "relationType": str(relation)}:
            collector.add(Record(where, f"{start} {relation} {end}", Kind.FACT))
        case _:
            collector.refuse(where, "is neither an entity nor a relation")
