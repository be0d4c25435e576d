"""Accounts of this installation, and its few facts that belong to no workspace."""

from datetime import datetime

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from workspace_memory.domain.account import Account, AccountStatus, email_key, is_email
from workspace_memory.domain.ids import UserId, is_id
from workspace_memory.storage.tables import instance, users


class Accounts:
    """Rows of `users` and `instance`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, *, user: UserId, email: str, name: str, password_hash: str | None, at: datetime) -> None:
        """Insert an account."""
        self._connection.execute(
            insert(users).values(
                id=user,
                email=email,
                email_key=email_key(email),
                name=name,
                status=AccountStatus.ACTIVE.value,
                password_hash=password_hash,
                created_at=at,
            )
        )

    def get(self, user: UserId) -> Account | None:
        """The account with this id."""
        if not is_id(user):
            return None
        row = self._connection.execute(select(users).where(users.c.id == user)).first()
        return None if row is None else _account(row)

    def by_email(self, email: str) -> Account | None:
        """The account with this e-mail address, compared without case."""
        if not is_email(email):
            return None
        row = self._connection.execute(select(users).where(users.c.email_key == email_key(email))).first()
        return None if row is None else _account(row)

    def count(self) -> int:
        """How many accounts there are."""
        return self._connection.execute(select(func.count()).select_from(users)).scalar_one()

    def first(self) -> Account | None:
        """The oldest active account: the owner of an installation for one person."""
        row = self._connection.execute(
            select(users)
            .where(users.c.status == AccountStatus.ACTIVE.value)
            .order_by(users.c.created_at, users.c.id)
            .limit(1)
        ).first()
        return None if row is None else _account(row)

    def set_password(self, user: UserId, password_hash: str) -> None:
        """Replace the password hash."""
        self._connection.execute(update(users).where(users.c.id == user).values(password_hash=password_hash))

    def set_name(self, user: UserId, name: str) -> None:
        """Replace the shown name."""
        self._connection.execute(update(users).where(users.c.id == user).values(name=name))

    def set_status(self, user: UserId, status: AccountStatus) -> None:
        """Activate or deactivate the account."""
        self._connection.execute(update(users).where(users.c.id == user).values(status=status.value))

    def delete(self, user: UserId) -> None:
        """Delete the account; memberships, tokens, sessions and personal items go along, company items stay."""
        self._connection.execute(delete(users).where(users.c.id == user))

    def instance_value(self, name: str) -> bytes | None:
        """A fact of the installation, such as the key of its export signatures."""
        return self._connection.execute(select(instance.c.value).where(instance.c.name == name)).scalar()

    def add_instance_value(self, name: str, value: bytes) -> None:
        """Keep a fact of the installation for good."""
        self._connection.execute(insert(instance).values(name=name, value=value))


def _account(row: Row[tuple[object, ...]]) -> Account:
    facts = row._mapping  # pyright: ignore[reportPrivateUsage]  SQLAlchemy's public name
    return Account(
        id=facts["id"],
        email=facts["email"],
        name=facts["name"],
        status=AccountStatus(facts["status"]),
        password_hash=facts["password_hash"],
        created_at=facts["created_at"],
    )
