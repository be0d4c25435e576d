/**
 * What a person's keys do in one workspace: start its key, receive it, pass it on, make the next one.
 *
 * A workspace key is proved by the signature of its granter and by its check value, and people's keys by what this
 * browser remembers. Who is granted a key is shown first: `acquaintance` tells name and fingerprint, and `grant` takes the
 * fingerprint that a person has confirmed, so that no other key can have slipped in between.
 */
import type { GrantIn, KeyMemberOut, WorkspaceKeysOut } from '../api/schema';
import { type Bytes, fromBase64Url, toBase64Url } from '../crypto/bytes';
import { makeGrant, openGrant } from '../crypto/grants';
import { type PublicKeys, fingerprintOf } from '../crypto/user-keys';
import {
  FIRST_EPOCH,
  WorkspaceKey,
  checkValue,
  firstOfChain,
  openChain,
  proves,
  signCheck,
  wrapOlder,
} from '../crypto/workspace-keys';
import { distrusting } from './distrust';
import {
  KeyDistrusted,
  KeyStillHeld,
  NoKeysYet,
  NotAMember,
  NotConfirmed,
  OtherEpoch,
  WaitingForKey,
} from './errors';
import { grantJson, readPublicKey, readPublicKeys } from './key-json';
import type { Keyholder } from './keyholder';

/** Every open key of a workspace by its epoch. */
export type Keyring = ReadonlyMap<number, WorkspaceKey>;

/** A member as shown for confirmation; `known` says that this browser has trusted the very same keys before. */
export type Acquaintance = {
  user: string;
  name: string;
  email: string;
  role: KeyMemberOut['role'];
  fingerprint: string;
  known: boolean;
};

/** All methods raise as those of Keyholder, and ServerRolledBack; those that need the key WaitingForKey. */
export class WorkspaceKeyholder {
  constructor(
    private readonly holder: Keyholder,
    readonly workspace: string,
  ) {}

  /** The workspace key as the service tells it, not older than this browser has seen. Needs no open keys. */
  async state(): Promise<WorkspaceKeysOut> {
    const seen = await this.#known.mark(this.workspace, 'epoch');
    const state = await this.#calls.workspaceKeys(this.workspace);
    await this.#known.advance(this.workspace, 'epoch', state.epoch, seen);
    return state;
  }

  /**
   * Make the first key of the workspace, or the one after `lostEpoch`, which nobody holds any more.
   *
   * What was sealed until then can never be read after that, so that a person has to have agreed.
   * Raises OtherEpoch when there is another one than `lostEpoch`; KeyStillHeld.
   */
  async start(lostEpoch?: number): Promise<WorkspaceKey> {
    const keys = this.holder.openKeys();
    const state = await this.state();
    if (state.epoch !== (lostEpoch ?? 0)) throw new OtherEpoch(state.epoch);
    if (state.epoch > 0 && !state.nobody_holds) throw new KeyStillHeld();
    const key = WorkspaceKey.generate(this.workspace, state.epoch + 1);
    const made = await this.#check(key);
    const grant = await this.#granted(key, this.holder.user, keys.publicKeys);
    const lost = lostEpoch === undefined ? {} : { lost_epoch: lostEpoch };
    await this.#calls.startKey(this.workspace, { ...made, grant, ...lost });
    await this.#known.advance(this.workspace, 'epoch', key.epoch, 0);
    return key;
  }

  /** The newest key, opened out of the own grant. Raises WaitingForKey, KeyDistrusted, PinnedKeyChanged. */
  async key(): Promise<WorkspaceKey> {
    return this.#newest(await this.state());
  }

  /** Every key of the workspace, down to where it was begun anew. Raises as `key`. */
  async keyring(): Promise<Keyring> {
    const state = await this.state();
    const newest = await this.#newest(state);
    const first = firstReadable(state);
    await this.#requireUnbroken(state, first);
    const ring = await distrusting(() => openChain(newest, olderKeys(state), first));
    for (const { epoch, check_value } of state.epochs) {
      const key = ring.get(epoch);
      if (key !== undefined) await requireProved(key, check_value);
    }
    await this.#known.advance(this.workspace, 'begun_anew', first, 0);
    if (newest.epoch > first) await this.#known.advance(this.workspace, 'chained', newest.epoch, 0);
    return ring;
  }

  /** A member, to be shown before the key is granted. Raises NoKeysYet; PinnedKeyChanged when there is a known one. */
  async acquaintance(member: string): Promise<Acquaintance> {
    return this.#met(memberOf(await this.state(), member));
  }

  /**
   * Pass the workspace key on to a member whose fingerprint, as `acquaintance` told it, a person has confirmed.
   *
   * Raises NotConfirmed when the member's keys are other ones by now; NoKeysYet; PinnedKeyChanged.
   */
  async grant(member: string, confirmed: string): Promise<void> {
    const state = await this.state();
    const key = await this.#newest(state);
    const found = memberOf(state, member);
    const shown = await this.#met(found);
    if (shown.fingerprint !== confirmed) throw new NotConfirmed(found.user_id, found.name);
    const publicKeys = publicKeysOf(found);
    await this.#known.accept(found.user_id, publicKeys);
    const grant = await this.#granted(key, found.user_id, publicKeys);
    await this.#calls.grantKey(this.workspace, { epoch: key.epoch, grant });
  }

  /**
   * Trust the other keys that a member has now, after their fingerprint was compared: `presented` of PinnedKeyChanged.
   *
   * Raises NotConfirmed when they are other ones again.
   */
  async trustAgain(member: string, confirmed: string): Promise<void> {
    const found = memberOf(await this.state(), member);
    const publicKeys = publicKeysOf(found);
    if ((await fingerprintOf(publicKeys)) !== confirmed) throw new NotConfirmed(found.user_id, found.name);
    await this.#known.accept(found.user_id, publicKeys);
  }

  /**
   * Those who hold the key and whom this browser does not know yet, to be confirmed before `rotate`: the service could
   * have made somebody up. Raises PinnedKeyChanged.
   */
  async strangers(): Promise<Acquaintance[]> {
    const shown: Acquaintance[] = [];
    for (const each of this.#otherHolders(await this.state())) shown.push(await this.#met(each));
    return shown.filter((each) => !each.known);
  }

  /**
   * Make the next key for all who hold the present one, if one is due; the newest key then.
   *
   * `confirmed` has the fingerprints of `strangers`, by user. Raises NotConfirmed for one that is not in there;
   * PinnedKeyChanged; `epoch_conflict` when another client was first; `key_holders_changed`.
   */
  async rotate(
    confirmed: ReadonlyMap<string, string> = new Map(),
    evenIfNotDue = false,
  ): Promise<WorkspaceKey> {
    const keys = this.holder.openKeys();
    const state = await this.state();
    const older = await this.#newest(state);
    if (!(state.rotation_due || evenIfNotDue)) return older;
    const key = WorkspaceKey.generate(this.workspace, older.epoch + 1);
    const grants = [await this.#granted(key, this.holder.user, keys.publicKeys)];
    for (const each of this.#otherHolders(state)) {
      const shown = await this.#met(each);
      if (!shown.known && confirmed.get(each.user_id) !== shown.fingerprint) {
        throw new NotConfirmed(each.user_id, each.name);
      }
      const publicKeys = publicKeysOf(each);
      await this.#known.accept(each.user_id, publicKeys);
      grants.push(await this.#granted(key, each.user_id, publicKeys));
    }
    const made = { epoch: key.epoch, ...(await this.#check(key)), grants };
    const olderSealed = toBase64Url(await wrapOlder(key, older));
    await this.#calls.rotateKey(this.workspace, { ...made, older_sealed: olderSealed });
    await this.#known.advance(this.workspace, 'epoch', key.epoch, 0);
    return key;
  }

  /** Whose keys open this. */
  get user(): string {
    return this.holder.user;
  }

  get #known() {
    return this.holder.known;
  }

  get #calls() {
    return this.holder.calls;
  }

  async #newest(state: WorkspaceKeysOut): Promise<WorkspaceKey> {
    const memberKeys = this.holder.openKeys();
    const { own_grant: own, epoch } = state;
    const newest = state.epochs[0];
    if (own === null || newest === undefined) {
      throw new WaitingForKey(state.members.filter(holdsKey), state.nobody_holds);
    }
    const granter = await this.#granter(state, own);
    const context = { workspace: this.workspace, epoch, member: this.holder.user, granter: own.granter_id };
    const key = await distrusting(() => {
      const grant = { sealed: fromBase64Url(own.sealed), signature: fromBase64Url(own.signature) };
      return openGrant(grant, context, memberKeys, granter);
    });
    if (newest.epoch !== epoch) throw new KeyDistrusted('check_value');
    await requireProved(key, newest.check_value);
    return key;
  }

  /** The Ed25519 key by which the granter is known here. */
  async #granter(state: WorkspaceKeysOut, own: NonNullable<WorkspaceKeysOut['own_grant']>): Promise<Bytes> {
    if (own.granter_id === this.holder.user) return this.holder.openKeys().publicKeys.ed25519;
    const ed25519 = readPublicKey(own.granter_ed25519);
    // Who has left is not told any more; the page says so in place of the name.
    const name = state.members.find((each) => each.user_id === own.granter_id)?.name ?? '';
    await this.#known.requireSigner(own.granter_id, name, ed25519);
    return ed25519;
  }

  /** Raise KeyDistrusted for epochs that are left out, or said to be lost after they were opened here. */
  async #requireUnbroken(state: WorkspaceKeysOut, first: number): Promise<void> {
    const isWhole = state.epochs.every(({ epoch }, place) => epoch === state.epoch - place);
    if (!isWhole || state.epochs.length !== state.epoch) throw new KeyDistrusted('seal');
    const known = Math.max(await this.#known.mark(this.workspace, 'begun_anew'), FIRST_EPOCH);
    const chained = await this.#known.mark(this.workspace, 'chained');
    if (known < first && first <= chained) throw new KeyDistrusted('chain');
  }

  #otherHolders(state: WorkspaceKeysOut): KeyMemberOut[] {
    return state.members.filter((each) => holdsKey(each) && each.user_id !== this.holder.user);
  }

  /** The member, whose keys are the known ones if any are. Raises PinnedKeyChanged, NoKeysYet. */
  async #met(member: KeyMemberOut): Promise<Acquaintance> {
    const publicKeys = publicKeysOf(member);
    const { user_id: user, name, email, role } = member;
    await this.#known.require(user, name, publicKeys);
    const known = (await this.#known.accepted(user)) !== null;
    return { user, name, email, role, fingerprint: await fingerprintOf(publicKeys), known };
  }

  async #check(key: WorkspaceKey): Promise<{ check_value: string; check_signature: string }> {
    const check = await checkValue(key);
    const signature = await signCheck(this.holder.openKeys(), key.workspace, key.epoch, check);
    return { check_value: toBase64Url(check), check_signature: toBase64Url(signature) };
  }

  async #granted(key: WorkspaceKey, member: string, memberKeys: PublicKeys): Promise<GrantIn> {
    const by = { granter: this.holder.user, granterKeys: this.holder.openKeys() };
    return grantJson(member, memberKeys, await distrusting(() => makeGrant(key, { member, memberKeys }, by)));
  }
}

/** The oldest epoch that the newest key leads to; what was sealed under those before is lost. */
const firstReadable = (state: WorkspaceKeysOut): number =>
  firstOfChain(
    state.epoch,
    state.epochs.filter((each) => each.older_sealed === null).map((each) => each.epoch),
  );

function olderKeys(state: WorkspaceKeysOut): Map<number, Bytes> {
  const sealed = new Map<number, Bytes>();
  for (const { epoch, older_sealed } of state.epochs) {
    if (older_sealed !== null) sealed.set(epoch - 1, fromBase64Url(older_sealed));
  }
  return sealed;
}

async function requireProved(key: WorkspaceKey, checkText: string): Promise<void> {
  const check = await distrusting(() => fromBase64Url(checkText));
  if (!(await proves(key, check))) throw new KeyDistrusted('check_value');
}

const holdsKey = (member: KeyMemberOut): boolean => member.standing === 'holds';

function publicKeysOf(member: KeyMemberOut): PublicKeys {
  if (member.public_keys === null) throw new NoKeysYet(member.user_id);
  return readPublicKeys(member.public_keys);
}

function memberOf(state: WorkspaceKeysOut, user: string): KeyMemberOut {
  const found = state.members.find((each) => each.user_id === user);
  if (found === undefined) throw new NotAMember();
  return found;
}
