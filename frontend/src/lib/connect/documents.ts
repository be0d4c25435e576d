/** The configuration for the shared endpoint, made from the one for any client: other address, one header more. */
export const KEY_VARIABLE = 'MEMORY_TOKEN';
export const SESSION_VARIABLE = 'MEMORY_KEY_SESSION';

type Servers = { mcpServers: Record<string, { type: string; headers: Record<string, string> }> };

/** `text` is the JSON for any client, with `placeholder` for the token; both secrets are read from the environment. */
export function documentsConfiguration(text: string, placeholder: string, url: string): string {
  const [entry] = Object.values((JSON.parse(text) as Servers).mcpServers);
  if (!entry) return '';
  const named = Object.entries(entry.headers).map(([name, value]) => [
    name,
    value.replaceAll(placeholder, `\${${KEY_VARIABLE}}`),
  ]);
  const headers = { ...Object.fromEntries(named), 'X-Key-Session': `\${${SESSION_VARIABLE}}` };
  return JSON.stringify({ mcpServers: { documents: { ...entry, url, headers } } }, null, 2);
}
