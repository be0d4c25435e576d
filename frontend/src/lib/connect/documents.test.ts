import { expect, it } from 'vitest';
import { documentsConfiguration } from './documents';

it('names the shared address and both headers, and holds no secret', () => {
  const text = JSON.stringify({
    mcpServers: {
      memory: {
        type: 'http',
        url: 'https://memory.example.com/mcp/1',
        headers: { Authorization: 'Bearer {{TOKEN}}' },
      },
    },
  });
  const made = documentsConfiguration(text, '{{TOKEN}}', 'https://memory.example.com/mcp');
  expect(JSON.parse(made)).toEqual({
    mcpServers: {
      documents: {
        type: 'http',
        url: 'https://memory.example.com/mcp',
        headers: { Authorization: 'Bearer ${MEMORY_TOKEN}', 'X-Key-Session': '${MEMORY_KEY_SESSION}' },
      },
    },
  });
});
