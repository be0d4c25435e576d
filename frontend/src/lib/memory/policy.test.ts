import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, Unreachable } from '../api/errors';
import type { PolicyOut } from '../api/schema';
import { MemoryPolicy } from './policy.svelte';

const service = vi.hoisted(() => ({
  getPolicy: vi.fn(),
  getAiConsent: vi.fn(),
  changePolicy: vi.fn(),
}));
vi.mock('../api/policy', () => service);

const policyOf = (mode: string, revision: number): PolicyOut =>
  ({ mode, policy_revision: revision }) as unknown as PolicyOut;

async function choosing(error: unknown, now: () => Promise<PolicyOut>): Promise<MemoryPolicy> {
  const policy = new MemoryPolicy('w');
  await policy.load();
  service.changePolicy.mockRejectedValueOnce(error);
  service.getPolicy.mockImplementationOnce(now);
  await policy.choose('auto');
  return policy;
}

describe('a mode whose answer is lost', () => {
  beforeEach(() => {
    service.getPolicy.mockReset().mockResolvedValue(policyOf('off', 1));
    service.getAiConsent.mockReset().mockResolvedValue({ enabled: true });
  });

  it('is the new one without a complaint where it was set', async () => {
    for (const error of [new Unreachable(), new ApiError(502, 'unexpected_answer', '', {}, undefined)]) {
      const policy = await choosing(error, async () => policyOf('auto', 2));
      expect([policy.policy?.mode, policy.problem, policy.asking]).toEqual(['auto', null, null]);
    }
  });

  it('is complained of where it was not set, and where nobody answers', async () => {
    const lost = new Unreachable();
    expect((await choosing(lost, async () => policyOf('off', 1))).problem).toBe(lost);
    expect((await choosing(lost, () => Promise.reject(lost))).problem).toBe(lost);
  });
});
