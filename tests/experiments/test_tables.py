from factlink.experiments.tables import as_html, as_markdown, explanation

FIGURES = {f"hr@{cut}": {"mean": 0.5, "deviation": 0.0125} for cut in (1, 2, 3, 4, 5, 10, 30)}
ROW = {
    "code": "U1",
    "title": "Name",
    "figures": {**FIGURES, "mrr": {"mean": 0.625, "deviation": 0.0}},
    "published": {"hr@1": 0.5825, "mrr": 0.6201},
    "seconds": 12.4,
    "memory_gb": 0.76,
}
QUOTED = {"code": "", "title": "Other <tool>", "figures": {}, "published": {"mrr": 0.06}, "seconds": 0, "memory_gb": 0}
RESULTS = {
    "title": "A | table",
    "beside": "published",
    "rows": [ROW, QUOTED],
    "folds": 5,
    "seeds": [0, 1],
    "tested_users": 1998,
}


def test_published_figures_stand_under_ours() -> None:
    lines = as_markdown(RESULTS).splitlines()
    assert lines[0] == "|  | method | HR@1 | HR@2 | HR@3 | HR@4 | HR@5 | HR@10 | HR@30 | MRR | s | GB |"
    halves = " | ".join(["0.5000 ±.013"] * 7)
    assert lines[2] == f"| U1 | Name | {halves} | 0.6250 | 12 | 0.8 |"
    assert lines[3] == "|  | *published* | *0.5825* |  |  |  |  |  |  | *0.6201* |  |  |"
    assert lines[4] == "|  | *Other <tool>, published* |  |  |  |  |  |  |  | *0.0600* |  |  |"


def test_the_page_is_whole_and_escaped() -> None:
    page = as_html(RESULTS)
    assert page.startswith("<!doctype html>")
    assert "<td>Other &lt;tool&gt;, published</td>" in page
    assert '<tr class="published"><td></td><td>published</td><td>0.5825</td>' in page
    assert "over 5 folds and 2 seeds" in page


def test_one_run_has_no_spread() -> None:
    told = explanation({**RESULTS, "folds": 1, "seeds": [0]})
    assert told.startswith("1,998 left users tested, all right users ranked but those in a known pair.")


def test_blocks_have_their_names_above_their_rows() -> None:
    rows = [{**ROW, "block": "names"}, {**QUOTED, "block": "names"}, {**ROW, "block": "links & more"}]
    lines = as_markdown({**RESULTS, "rows": rows}).splitlines()
    assert [line[:14] for line in lines[2:]] == [
        "|  | **names**",
        "| U1 | Name | ",
        "|  | *publishe",
        "|  | *Other <t",
        "|  | **links &",
        "| U1 | Name | ",
        "|  | *publishe",
    ]
    assert '<tr class="block"><td></td><td>links &amp; more</td>' in as_html({**RESULTS, "rows": rows})
