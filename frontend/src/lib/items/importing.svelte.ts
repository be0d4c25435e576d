/**
 * An import: first every part is tried, then, when the person says so, every part is carried out. What is there already
 * is left as it is, so that an import which was stopped can simply be repeated.
 */
import { failure } from '../../i18n/failures';
import { t } from '../../i18n/items';
import { malformed } from '../../i18n/malformed';
import { isAnswerLost, isCode } from '../api/errors';
import type { Format, ImportIn, ImportOut, Scope } from '../api/schema';
import { importMemory } from '../api/transfers';
import { workspace } from '../state/workspace.svelte';
import { cut, fits, type Part, partsOf, placeIn } from './parts';

export type Choices = { format: Format | ''; scope: Scope | ''; approve: boolean };
export type Standing = 'nothing' | 'checking' | 'planned' | 'importing' | 'done' | 'stopped' | 'unknown';

const FILE_BYTES_MAX = 64 * 1024 * 1024;
const KIB = 1024;

export class Importing {
  name = $state('');
  standing = $state<Standing>('nothing');
  /** How much was looked at, in KiB. */
  progress = $state({ done: 0, of: 1 });
  planned = $state.raw<ImportOut>();
  result = $state.raw<ImportOut>();
  problem = $state('');

  #text = '';
  #parts: Part[] = [];
  #asking: AbortController | undefined;
  #stops = false;

  /** Take a file. What is no text in UTF-8, or too large to be read here, is said. */
  async read(file: File): Promise<boolean> {
    this.cancel();
    Object.assign(this, {
      name: file.name,
      standing: 'nothing',
      planned: undefined,
      result: undefined,
      problem: '',
    });
    if (file.size > FILE_BYTES_MAX) {
      this.problem = t('fileTooLarge');
      return false;
    }
    try {
      this.#text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      return true;
    } catch {
      this.problem = t('fileNoText');
      return false;
    }
  }

  /** Try every part; nothing is written. */
  async check(choices: Choices): Promise<void> {
    const parts = partsOf(this.#text);
    const size = sizeOf(parts);
    const accepted: Part[] = [];
    this.#begin('checking', size);
    const asking = (this.#asking = new AbortController());
    let sum: ImportOut | undefined;
    try {
      for (let part = parts.shift(); part; part = parts.shift()) {
        const halves = fits(part) ? undefined : cut(part);
        if (halves === null) throw new Error(t('fileNotCut'));
        const answer = halves ?? (await this.#ask(part, choices, sum?.new ?? 0, asking.signal));
        if (Array.isArray(answer)) {
          parts.unshift(...answer);
          continue;
        }
        sum = sum ? added(sum, answer) : answer;
        accepted.push(part);
        this.progress.done = Math.max(0, size - sizeOf(parts));
      }
      this.#parts = accepted;
      this.planned = sum;
      this.standing = 'planned';
    } catch (error) {
      this.standing = 'nothing';
      if (!asking.signal.aborted) this.problem = said(error);
    }
  }

  /** Carry every part out, one after the other. */
  async run(choices: Choices): Promise<void> {
    const size = sizeOf(this.#parts);
    this.#begin('importing', size);
    this.#stops = false;
    const asking = new AbortController();
    let sum: ImportOut | undefined;
    let done = 0;
    try {
      for (const part of this.#parts) {
        if (this.#stops) break;
        const answer = await importMemory(
          workspace.id,
          bodyOf(part, this.name, choices, false),
          asking.signal,
        );
        const placed = withPlaces(part, answer);
        sum = sum ? added(sum, placed) : placed;
        done += sizeOf([part]);
        this.progress.done = done;
      }
      this.standing = this.#stops && done < size ? 'stopped' : 'done';
    } catch (error) {
      if (isAnswerLost(error)) return this.#countAnew(choices);
      this.standing = 'stopped';
      this.problem = said(error);
    }
    this.result = sum;
  }

  /** An answer did not arrive, so that nobody knows what was taken: what is there and what is not is counted anew. */
  async #countAnew(choices: Choices): Promise<void> {
    await this.check(choices);
    if (this.standing !== 'planned') this.standing = 'unknown';
    this.problem = t('importLost');
  }

  /** A check ends at once; an import ends with the part that is under way, since that may be written already. */
  cancel(): void {
    this.#stops = true;
    this.#asking?.abort();
  }

  #begin(standing: Standing, size: number): void {
    Object.assign(this, { standing, problem: '', progress: { done: 0, of: Math.max(1, size) } });
  }

  async #ask(
    part: Part,
    choices: Choices,
    planned: number,
    signal: AbortSignal,
  ): Promise<ImportOut | [Part, Part]> {
    try {
      const body = { ...bodyOf(part, this.name, choices, true), planned };
      return withPlaces(part, await importMemory(workspace.id, body, signal));
    } catch (error) {
      const isTooMuch =
        isCode(error, 'body_too_large') ||
        (isCode(error, 'invalid_request') && error.facts['field'] === 'file');
      const halves = isTooMuch ? cut(part) : null;
      if (!halves) throw error;
      return halves;
    }
  }
}

const bodyOf = (part: Part, name: string, choices: Choices, dry: boolean): ImportIn => ({
  file: part.text,
  file_name: name.slice(-255) || 'file',
  format: choices.format || null,
  scope: choices.scope || null,
  approve: choices.approve && choices.scope === 'organization',
  dry_run: dry,
  planned: 0,
});

const sizeOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => sum + Math.ceil(part.text.length / KIB), 0);

const withPlaces = (part: Part, answer: ImportOut): ImportOut => ({
  ...answer,
  problems: answer.problems.map(({ where, reason }) => ({ where: placeIn(part, where), reason })),
});

function added(one: ImportOut, other: ImportOut): ImportOut {
  const skipped = new Map(one.skipped.map((each) => [each.what, each.count]));
  for (const { what, count } of other.skipped) skipped.set(what, (skipped.get(what) ?? 0) + count);
  return {
    ...one,
    new: one.new + other.new,
    already_there: one.already_there + other.already_there,
    over_quota: one.over_quota + other.over_quota,
    held: one.held + other.held,
    skipped: [...skipped].map(([what, count]) => ({ what, count })),
    problems: [...one.problems, ...other.problems],
  };
}

function said(error: unknown): string {
  if (isCode(error, 'invalid_request'))
    return error.facts['field'] === 'format' ? t('formatUntold') : malformed(error.detail);
  return error instanceof Error && error.constructor === Error ? error.message : failure(error);
}
