import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/workspace_memory/web',
    emptyOutDir: true,
    target: 'es2023',
    // No data: URLs, so that the content policy needs none for fonts; no inline polyfill, which it would refuse.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // tests/architecture/test_web_bundles.py reads from it what each page loads first.
    manifest: true,
  },
  worker: { format: 'es' },
  test: { environment: 'node', include: ['src/**/*.test.ts'] },
});
