/**
 * A service for the tests of keys: it keeps what clients send and answers as the real one does, for several people.
 *
 * `lie` changes what comes back, as somebody would who holds the service. tests/e2e/test_client_keys.py holds the same
 * claims against the real one, for the Python client.
 */
import { ApiError } from '../api/errors';
import type {
  GrantIn,
  KeyMemberOut,
  KeysOut,
  RotateKeyIn,
  StartKeyIn,
  WorkspaceKeysOut,
} from '../api/schema';
import type { KeyCalls } from './key-calls';
import { KnownKeys } from './known-keys';
import { keptInMemory } from './known-keys-store';
import { Keyholder } from './keyholder';

export const WORKSPACE = '0193b3c5-6d7e-7a10-8000-000000000001';
export const PASSPHRASE = 'a long walk along the river';
const AT = '2026-11-02T09:00:00Z';

export type Answer = KeysOut | WorkspaceKeysOut;
type StoredGrant = NonNullable<WorkspaceKeysOut['own_grant']>;

export const refusal = (status: number, code: string): ApiError =>
  new ApiError(status, code, '', {}, undefined);

export class Service {
  readonly keys = new Map<string, KeysOut>();
  readonly members = new Map<string, string>();
  readonly grants = new Map<string, StoredGrant>();
  epochs: WorkspaceKeysOut['epochs'] = [];
  rotationDue = false;
  /** How many requests have changed something. */
  writes = 0;
  lie: (told: Answer, user: string) => void = () => {};

  /** A member with a browser of their own. */
  async join(name: string, setUp = true): Promise<Person> {
    this.members.set(name, name);
    const person = this.browser(name);
    if (setUp) person.recoveryKey = await person.holder.setUp(PASSPHRASE);
    return person;
  }

  /** A browser in which nothing is remembered. */
  browser(name: string): Person {
    const known = new KnownKeys(keptInMemory());
    const holder = new Keyholder({ user: name, calls: this.callsOf(name), known });
    return { name, known, holder, keys: holder.workspace(WORKSPACE), recoveryKey: '' };
  }

  remove(name: string): void {
    this.members.delete(name);
    this.rotationDue ||= this.grants.delete(name);
  }

  callsOf(user: string): KeyCalls {
    const told = async <Told extends Answer>(answer: Told): Promise<Told> => {
      const copy = structuredClone(answer);
      this.lie(copy, user);
      return copy;
    };
    return {
      ownKeys: async () => told(this.#keysOf(user)),
      createKeys: async (body) => {
        if (this.keys.has(user)) throw refusal(409, 'keys_exist');
        return told(this.#store(user, { ...body, version: 1 }));
      },
      rewrapKeys: async ({ version, wrapping }) => {
        const kept = this.#keysOf(user);
        if (kept.version !== version) throw refusal(412, 'version_mismatch');
        return told(this.#store(user, { ...kept, wrapping, version: version + 1 }));
      },
      replaceKeys: async ({ password, ...body }) => {
        if (password !== 'the password') throw refusal(401, 'sign_in_refused');
        this.grants.delete(user);
        this.rotationDue = true;
        return told(this.#store(user, { ...body, version: 1 }));
      },
      workspaceKeys: async () => told(this.#state(user)),
      startKey: async (_, body) => told(this.#start(user, body)),
      grantKey: async (_, { grant }) => told(this.#grant(user, grant)),
      rotateKey: async (_, body) => told(this.#rotate(user, body)),
    };
  }

  #keysOf(user: string): KeysOut {
    const kept = this.keys.get(user);
    if (kept === undefined) throw refusal(404, 'not_found');
    return kept;
  }

  #store(user: string, kept: Pick<KeysOut, 'public_keys' | 'wrapping' | 'version'>): KeysOut {
    this.writes += 1;
    const record = { user_id: user, ...kept, created_at: AT, updated_at: AT };
    this.keys.set(user, record);
    return record;
  }

  #state(user: string): WorkspaceKeysOut {
    const epoch = this.epochs.length;
    return {
      epoch,
      rotation_due: this.rotationDue,
      nobody_holds: epoch > 0 && ![...this.members.keys()].some((each) => this.grants.has(each)),
      epochs: this.epochs,
      own_grant: this.grants.get(user) ?? null,
      members: [...this.members.keys()].map((each) => this.#member(each)),
    };
  }

  #member(name: string): KeyMemberOut {
    const publicKeys = this.keys.get(name)?.public_keys ?? null;
    const standing = this.grants.has(name) ? 'holds' : publicKeys === null ? 'no_keys' : 'waiting';
    const email = `${name}@example.com`;
    return { user_id: name, name, email, role: 'editor', standing, public_keys: publicKeys };
  }

  #start(user: string, body: StartKeyIn): WorkspaceKeysOut {
    if (this.epochs.length !== (body.lost_epoch ?? 0)) throw refusal(409, 'epoch_conflict');
    this.#nextEpoch(user, body, null);
    return this.#grant(user, body.grant);
  }

  #rotate(user: string, body: RotateKeyIn): WorkspaceKeysOut {
    if (body.epoch !== this.epochs.length + 1) throw refusal(409, 'epoch_conflict');
    this.#nextEpoch(user, body, body.older_sealed);
    for (const grant of body.grants) this.#grant(user, grant);
    return this.#state(user);
  }

  #nextEpoch(user: string, body: StartKeyIn | RotateKeyIn, older: string | null): void {
    const { check_value, check_signature } = body;
    const epoch = this.epochs.length + 1;
    const made = { epoch, maker_id: user, check_value, check_signature, older_sealed: older, created_at: AT };
    this.epochs = [made, ...this.epochs];
    this.grants.clear();
    this.rotationDue = false;
  }

  #grant(user: string, grant: GrantIn): WorkspaceKeysOut {
    this.writes += 1;
    this.grants.set(grant.member_id, {
      granter_id: user,
      granter_ed25519: this.#keysOf(user).public_keys.ed25519,
      member_public: grant.member_public,
      sealed: grant.sealed,
      signature: grant.signature,
      created_at: AT,
    });
    return this.#state(user);
  }
}

export type Person = {
  name: string;
  known: KnownKeys;
  holder: Keyholder;
  keys: ReturnType<Keyholder['workspace']>;
  recoveryKey: string;
};

/** Grant the key as a person does who has compared the fingerprint with the other one. */
export async function grantTo(from: Person, to: Person): Promise<void> {
  await from.keys.grant(to.name, await to.holder.fingerprint());
}
