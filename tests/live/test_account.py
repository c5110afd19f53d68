"""The secret gets in by the environment or a file for its owner alone, and out by nothing."""

import pickle
from pathlib import Path

import pytest

from tools.tables.live.account import (
    DEFAULT_SITE,
    HIDDEN,
    VARIABLE,
    Account,
    AccountError,
    Secret,
    account_of,
    read_secret,
)

pytestmark = pytest.mark.whole

TEXT = "s3cret-0815+x"


def secret_file(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "secret"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_a_secret_shows_itself_nowhere() -> None:
    account = Account(DEFAULT_SITE, "user1", Secret(TEXT))
    shown = [repr(account.secret), str(account.secret), f"{account}", repr(account), f"{account.secret!r}"]
    assert not any(TEXT in one for one in shown)
    assert account.secret.revealed() == TEXT
    with pytest.raises(TypeError, match="not written anywhere"):
        pickle.dumps(account)


def test_a_secret_is_taken_out_of_texts_as_it_is_and_as_an_address_has_it() -> None:
    secret = Secret(TEXT)
    address = Account(DEFAULT_SITE, "user1", secret).address("localai")
    assert address == f"{DEFAULT_SITE}/api/user1/s3cret-0815%2Bx/localai"
    assert secret.out_of(f"GET {address} and {TEXT}!") == f"GET {DEFAULT_SITE}/api/user1/{HIDDEN}/localai and {HIDDEN}!"


@pytest.mark.parametrize("text", ["", "abc", "with a blank", "tab\there", "ünïcode", "x" * 201])
def test_what_cannot_be_a_secret_is_not_quoted(text: str) -> None:
    with pytest.raises(AccountError) as caught:
        Secret(text)
    assert not text or text not in str(caught.value)


def test_the_environment_forgets_the_secret_once_it_is_read(tmp_path: Path) -> None:
    environment = {VARIABLE: f" {TEXT}\n", "HOME": "/"}
    assert read_secret(None, environment) == TEXT
    assert environment == {"HOME": "/"}
    environment = {VARIABLE: "another"}
    assert read_secret(secret_file(tmp_path, TEXT + "\n"), environment) == TEXT
    assert environment == {}


def test_without_a_secret_the_sentence_says_where_to_put_one() -> None:
    with pytest.raises(AccountError, match=f"set {VARIABLE}, or name a file with --secret-file"):
        read_secret(None, {})


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601])
def test_a_file_for_others_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(AccountError, match=rf"others may read it \(mode {mode:04o}\); chmod 600 it"):
        read_secret(secret_file(tmp_path, TEXT, mode), {})


def test_a_file_for_its_owner_is_read(tmp_path: Path) -> None:
    assert read_secret(secret_file(tmp_path, f"{TEXT}\n", 0o400), {}) == TEXT


def test_other_files_are_refused_without_their_text(tmp_path: Path) -> None:
    with pytest.raises(AccountError, match="cannot be read: No such file"):
        read_secret(tmp_path / "none", {})
    with pytest.raises(AccountError, match="Is a directory"):
        read_secret(tmp_path, {})
    with pytest.raises(AccountError, match="not a plain file"):
        read_secret(Path("/dev/null"), {})
    for text in ("", f"{TEXT}\n{TEXT}", f"{TEXT} and more"):
        with pytest.raises(AccountError, match="must hold one line") as caught:
            read_secret(secret_file(tmp_path, text), {})
        assert TEXT not in str(caught.value)


def test_the_whole_address_names_site_user_and_secret_and_http_is_for_this_machine() -> None:
    found = account_of(f"https://www.botzone.org/api/abc123/{TEXT}/localai", "", "")
    assert (found.site, found.user, found.secret.revealed()) == ("https://www.botzone.org", "abc123", TEXT)
    assert (
        account_of(f"https://botzone.org/api/abc123/{TEXT}/localai", "abc123", "botzone.org.cn").host
        == "botzone.org.cn"
    )
    plain = account_of(TEXT, "abc123", "")
    assert (plain.site, plain.host) == (DEFAULT_SITE, "www.botzone.org.cn")
    assert account_of(TEXT, "abc", "http://127.0.0.1:8766").site == "http://127.0.0.1:8766"


@pytest.mark.parametrize(
    ("found", "user", "site", "problem"),
    [
        (TEXT, "", "", "there is no user"),
        (TEXT, "a/b", "", "is not a user ID"),
        (f"https://botzone.org/api/abc/{TEXT}/localai", "xyz", "", "is not the user of the address"),
        (f"https://botzone.org/{TEXT}", "", "", "is not SITE/api/USER/SECRET/localai"),
        (TEXT, "abc", "http://botzone.org", "use https"),
        (TEXT, "abc", "https://botzone.org:99999", "is not an address"),
        (f"https://[botzone/api/abc/{TEXT}/localai", "", "", "is not SITE/api/USER/SECRET/localai"),
        (TEXT, "abc", "https://botzone.org/api/abc", "the site alone"),
    ],
)
def test_an_account_that_cannot_be_one(found: str, user: str, site: str, problem: str) -> None:
    with pytest.raises(AccountError, match=problem) as caught:
        account_of(found, user, site)
    assert TEXT not in str(caught.value)
