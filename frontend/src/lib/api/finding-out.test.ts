import { describe, expect, it } from 'vitest';
import { ApiError, Unreachable, isAnswerLost } from './errors';
import { NotMade, sendOrFindOut } from './finding-out';

const refused = (status: number, code: string): ApiError => new ApiError(status, code, '', {}, undefined);
const rejects = (error: unknown) => (): Promise<string> => Promise.reject(error);

describe('a lost answer', () => {
  it.each([
    [new Unreachable(), true],
    [refused(502, 'unexpected_answer'), true],
    [refused(500, 'internal_error'), true],
    [refused(503, 'busy'), false],
    [refused(412, 'version_mismatch'), false],
    [new Error('mistake'), false],
  ])('%s', (error, lost) => {
    expect(isAnswerLost(error)).toBe(lost);
  });
});

describe('a change whose answer is lost', () => {
  const lost = new Unreachable();

  it('is made where what was wanted is there, and where it was sent twice', async () => {
    for (const error of [lost, refused(412, 'version_mismatch')]) {
      const found = sendOrFindOut(
        rejects(error),
        async () => 'wanted',
        (now) => now === 'wanted',
      );
      expect(await found).toBe('wanted');
    }
  });

  it('is not made where nothing has changed', async () => {
    const found = sendOrFindOut(
      rejects(lost),
      async () => 'old',
      () => false,
    );
    await expect(found).rejects.toBeInstanceOf(NotMade);
  });

  it('stays unknown where the look says nothing either', async () => {
    const found = sendOrFindOut(rejects(lost), rejects(refused(500, 'internal_error')), () => true);
    await expect(found).rejects.toBe(lost);
  });

  it('says that it is gone where it is, and keeps every refusal', async () => {
    const gone = refused(404, 'not_found');
    await expect(sendOrFindOut(rejects(lost), rejects(gone), () => true)).rejects.toBe(gone);
    const refusal = refused(403, 'forbidden');
    await expect(sendOrFindOut(rejects(refusal), rejects(gone), () => true)).rejects.toBe(refusal);
  });
});
