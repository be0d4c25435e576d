/** The mode of the document, compared and set, and whether AI works in the workspace at all. */
import { isAnswerLost, isCode } from '../api/errors';
import { changePolicy, getAiConsent, getPolicy } from '../api/policy';
import type { Mode, PolicyOut } from '../api/schema';

export class MemoryPolicy {
  policy = $state.raw<PolicyOut | null>(null);
  aiEnabled = $state(true);
  /** The mode that was asked for, while it is being set. */
  asking = $state<Mode | null>(null);
  /** Somebody set another mode in the meantime: what this person wanted is asked again. */
  conflict = $state.raw<{ wanted: Mode; now: Mode } | null>(null);
  problem = $state.raw<unknown>(null);

  constructor(private readonly workspace: string) {}

  /** Ask for both. A failure leaves what was known. */
  async load(): Promise<void> {
    try {
      const [policy, consent] = await Promise.all([getPolicy(this.workspace), getAiConsent(this.workspace)]);
      this.#take(policy);
      this.aiEnabled = consent.enabled;
    } catch (error) {
      if (!this.policy) this.problem = error;
    }
  }

  /** Set the mode against the revision that is shown, once. */
  async choose(mode: Mode): Promise<void> {
    if (!this.policy || this.asking) return;
    this.asking = mode;
    this.conflict = null;
    this.problem = null;
    try {
      this.policy = await changePolicy(this.workspace, mode, this.policy.policy_revision);
    } catch (error) {
      if (isCode(error, 'policy_conflict')) {
        this.policy = error.facts as unknown as PolicyOut;
        this.conflict = this.policy.mode === mode ? null : { wanted: mode, now: this.policy.mode };
      } else if (!isAnswerLost(error) || !(await this.#isSet(mode))) {
        this.problem = error;
      }
    } finally {
      this.asking = null;
    }
  }

  /** Whether the mode is what was asked for, after an answer was lost. Nobody knows where this is not answered either. */
  async #isSet(mode: Mode): Promise<boolean> {
    try {
      this.policy = await getPolicy(this.workspace);
      return this.policy.mode === mode;
    } catch {
      return false;
    }
  }

  #take(policy: PolicyOut): void {
    // An answer that was under way while the mode was set is the older one.
    if (this.asking || (this.policy && policy.policy_revision < this.policy.policy_revision)) return;
    this.policy = policy;
  }
}
