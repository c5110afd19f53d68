"""The command line of weights files. Every network here has random weights."""

import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from ddzbot.net.current import current_network
from ddzbot.net.mcm_cnn import ARCHITECTURE
from tests.net.networks import small_network, written
from tests.support import ROOT
from tools.release import weights, weights_file
from tools.release.weights_file import contents


def run(*arguments: object) -> Result:
    return CliRunner().invoke(weights.main, list(map(str, arguments)))


def test_info_shows_description_and_tensors(tmp_path: Path) -> None:
    done = run("info", written(tmp_path))
    assert done.exit_code == 0
    for text in ("features mcm-1, rules botzone, architecture test-1", "command: a test", "float16", "2 x 3"):
        assert text in done.output


def test_info_of_a_damaged_file_says_what_is_wrong(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    done = run("info", path)
    assert done.exit_code == 1
    assert "the file is cut short" in done.output


def test_verify_passes_sound_files_and_folders(tmp_path: Path) -> None:
    files = [written(tmp_path)]
    weights_file.enter(files[0])
    assert run("verify", *files).output == "1 files are sound\n"
    assert run("verify", "--folder", tmp_path).output == f"{tmp_path}: all files are sound\n"


def test_verify_of_an_empty_folder_finds_nothing(tmp_path: Path) -> None:
    assert run("verify", "--folder", tmp_path).exit_code == 0


def test_verify_names_every_fault(tmp_path: Path) -> None:
    cut, content = written(tmp_path), contents(small_network(architecture=ARCHITECTURE))
    odd = tmp_path / f"odd-{content[-32:].hex()[:12]}.ddzw"
    odd.write_bytes(content)
    cut.write_bytes(cut.read_bytes()[:-1])
    for done in (run("verify", cut, odd), run("verify", "--folder", tmp_path)):
        assert done.exit_code == 1
    done = run("verify", cut, odd)
    assert f"{cut}: the file is cut short" in done.output
    assert f"{odd}: tensor conv1.weight is missing" in done.output


def test_the_promoted_network_is_current(tmp_path: Path) -> None:
    files = [written(tmp_path)]
    assert current_network("mcm-1", "botzone", str(tmp_path)).network is None
    done = run("promote", files[0], "--rules", "botzone")
    assert done.output == f"{files[0].name} is now current under botzone; none was before.\n"
    assert current_network("mcm-1", "botzone", str(tmp_path)).description == files[0].name


def test_a_network_can_be_promoted_for_one_setting(tmp_path: Path) -> None:
    path = written(tmp_path)
    done = run("promote", path, "--rules", "mini", "--setting", "thesis")
    assert done.output == f"{path.name} is now current under mini for setting thesis; none was before.\n"
    assert current_network("mcm-1", "mini", str(tmp_path)).network is None
    assert current_network("mcm-1/thesis", "mini", str(tmp_path)).description == path.name


def test_a_current_network_is_replaced_by_force_alone_where_there_is_no_gate(tmp_path: Path) -> None:
    first, other = written(tmp_path), weights_file.write(tmp_path, "other", small_network(architecture="test-2"))
    assert run("promote", first, "--rules", "mini").exit_code == 0
    # A setting without a network of its own plays with the usual one.
    for words in (["--rules", "mini", "--setting", "thesis"], ["--rules", "mini"]):
        before = (tmp_path / "manifest.json").read_bytes()
        refused = run("promote", other, *words)
        assert refused.exit_code == 1
        assert refused.output == (
            f"Error: {other}: no gate judges networks of mcm-1 under mini, where {first.name} is current; "
            "--force makes this one current\n"
        )
        assert (tmp_path / "manifest.json").read_bytes() == before
        where = "mini" + " for setting thesis" * (len(words) > 2)
        done = run("promote", other, *words, "--force")
        assert done.output == f"{other.name} is now current under {where}; it replaces {first.name}.\n"
        assert run("promote", other, *words).output == f"{other.name} is current under {where} already.\n"


def test_a_setting_without_a_network_of_its_own_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    done = run("promote", path, "--rules", "mini", "--setting", "default")
    assert done.exit_code == 1
    assert "no player of setting default has a network of its own with features mcm-1" in " ".join(done.output.split())
    assert not (tmp_path / "manifest.json").exists()


def test_no_torch_is_needed(tmp_path: Path) -> None:
    path = written(tmp_path)
    program = "import sys; sys.modules['torch'] = None; from tools.release import weights; weights.main(sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", program, "verify", path], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "1 files are sound\n", done.stderr
