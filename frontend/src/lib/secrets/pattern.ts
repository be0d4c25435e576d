/** A regular expression with the calls that Python's has, so that the scanner here reads like the one it is held to. */

/** What was found. `place` is where it begins, `at` where a group does; named and numbered groups are texts. */
export class Found {
  constructor(private readonly match: RegExpExecArray) {}

  get text(): string {
    return this.match[0];
  }

  get place(): number {
    return this.match.index;
  }

  get end(): number {
    return this.match.index + this.match[0].length;
  }

  group(name: string | number): string | undefined {
    return typeof name === 'number' ? this.match[name] : this.match.groups?.[name];
  }

  /** Where a group begins that took part in the match. */
  at(name: string | number): number {
    const { indices } = this.match;
    const [start] = (typeof name === 'number' ? indices?.[name] : indices?.groups?.[name]) ?? [this.place];
    return start;
  }
}

export class Pattern {
  #compiled: Record<string, RegExp> = {};

  constructor(
    private readonly source: string,
    private readonly flags: string,
  ) {}

  /** What stands exactly at `from`. The text ends at `to` for the pattern, and goes on before `from`. */
  match(text: string, from = 0, to = text.length): Found | null {
    return this.#run('y', text, from, to);
  }

  /** The first that is found from there on. */
  search(text: string, from = 0, to = text.length): Found | null {
    return this.#run('g', text, from, to);
  }

  /** Whether the whole text is of this form. */
  covers(text: string): boolean {
    this.#compiled['whole'] ??= new RegExp(`^(?:${this.source})$`, this.flags);
    return this.#compiled['whole'].test(text);
  }

  all(text: string): Found[] {
    return Array.from(text.matchAll(this.#like('g')), (match) => new Found(match));
  }

  texts(text: string): string[] {
    return text.match(this.#like('g')) ?? [];
  }

  replace(text: string, by: (found: string, ...groups: string[]) => string): string {
    return text.replace(this.#like('g'), by);
  }

  #run(kind: 'y' | 'g', text: string, from: number, to: number): Found | null {
    const compiled = this.#like(kind);
    compiled.lastIndex = from;
    const match = compiled.exec(to < text.length ? text.slice(0, to) : text);
    return match && new Found(match);
  }

  #like(kind: 'y' | 'g'): RegExp {
    return (this.#compiled[kind] ??= new RegExp(this.source, `${this.flags}d${kind}`));
  }
}
