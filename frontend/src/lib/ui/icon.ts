/** A picture of Lucide, imported one by one: `import Check from '@lucide/svelte/icons/check'`. */
import type Any from '@lucide/svelte/icons/check';

export type Icon = typeof Any;
