/** A secret is warned of once: when it comes into the text. */
import { describe, expect, it } from 'vitest';
import { newSecret } from './screening';

const TOKEN = `- token: ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
const OTHER = '- password: xK9#mPq2vL7z';

describe('a secret in a draft', () => {
  it('is found with its line', async () => {
    expect(await newSecret(`# Team\n\n${TOKEN}\n`, '# Team\n')).toMatchObject({ line: 3 });
  });

  it('that was saved before is not warned of again', async () => {
    expect(await newSecret(`# Team\n${TOKEN}\n- tea\n`, `# Team\n${TOKEN}\n`)).toBeNull();
  });

  it('beside one that was saved before is found', async () => {
    expect(await newSecret(`${TOKEN}\n- tea\n${OTHER}\n`, `${TOKEN}\n`)).toMatchObject({ line: 3 });
  });

  it('is not where there is none', async () => {
    expect(await newSecret('- tea is green\n', '')).toBeNull();
  });
});
