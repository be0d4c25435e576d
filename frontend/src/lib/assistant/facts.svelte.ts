/** What the workspace's Assistant runs with, whether AI is on, and what is left of today's tokens. */
import { getAssistant } from '../api/assistant';
import { getAiConsent } from '../api/policy';
import type { AssistantOut } from '../api/schema';

export class Facts {
  assistant = $state.raw<AssistantOut | null>(null);
  aiOff = $state(false);

  constructor(readonly workspace: string) {}

  get model(): string {
    return this.assistant?.model ?? '';
  }

  get demonstration(): boolean {
    return this.assistant?.demonstration ?? false;
  }

  /** Tokens a day for all members together; 0 is none. */
  get limit(): number {
    return this.assistant?.tokens_per_day ?? 0;
  }

  get limitReached(): boolean {
    const used = this.assistant?.today;
    return this.limit > 0 && used !== undefined && used.input_tokens + used.output_tokens >= this.limit;
  }

  /** Ask again. A failure leaves what was known: whatever it is, sending says it too. */
  async ask(): Promise<void> {
    const [assistant, consent] = await Promise.allSettled([
      getAssistant(this.workspace),
      getAiConsent(this.workspace),
    ]);
    if (assistant.status === 'fulfilled') this.assistant = assistant.value;
    if (consent.status === 'fulfilled') this.aiOff = !consent.value.enabled;
  }
}
