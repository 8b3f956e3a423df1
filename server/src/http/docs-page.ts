type Json = Record<string, unknown>;

const escapeHtml = (text: string) =>
  text.replace(
    /[&<>"]/g,
    (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? letter,
  );

const asJson = (value: unknown): Json => (value !== null && typeof value === 'object' ? (value as Json) : {});
const asList = (value: unknown): Json[] => (Array.isArray(value) ? value.map(asJson) : []);

/** A short text for a schema: `string`, `{ id, name }`, `A | B[]`. */
function typeText(schema: Json, depth = 0): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const options = asList(schema.anyOf ?? schema.oneOf);
  if (options.length > 0) return options.map((option) => typeText(option, depth)).join(' | ');
  if (schema.type === 'array') return `${typeText(asJson(schema.items), depth)}[]`;
  if (schema.properties !== undefined) {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const indent = '  '.repeat(depth + 1);
    const lines = Object.entries(asJson(schema.properties)).map(
      ([name, each]) =>
        `${indent}${name}${required.has(name) ? '' : '?'}: ${typeText(asJson(each), depth + 1)}`,
    );
    return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
  }
  return typeof schema.type === 'string' ? schema.type : 'any';
}

function constraintsText(schema: Json): string {
  const parts = [
    schema.minLength !== undefined || schema.maxLength !== undefined
      ? `${schema.minLength ?? 0}–${schema.maxLength ?? '∞'} 个字符`
      : '',
    schema.minimum !== undefined && Number(schema.minimum) > Number.MIN_SAFE_INTEGER
      ? `≥ ${schema.minimum}`
      : '',
    schema.maximum !== undefined && Number(schema.maximum) < Number.MAX_SAFE_INTEGER
      ? `≤ ${schema.maximum}`
      : '',
    schema.default !== undefined ? `默认 ${JSON.stringify(schema.default)}` : '',
  ];
  return parts.filter(Boolean).join('，');
}

function fieldRows(fields: { name: string; required: boolean; schema: Json; location: string }[]): string {
  return fields
    .map(
      ({ name, required, schema, location }) => `<tr>
        <td><code>${escapeHtml(name)}</code>${required ? ' <b>必填</b>' : ''}</td>
        <td>${location}</td>
        <td><code>${escapeHtml(typeText(schema))}</code></td>
        <td>${escapeHtml([schema.title, schema.description, constraintsText(schema)].filter(Boolean).join('；'))}</td>
      </tr>`,
    )
    .join('');
}

function inputFields(operation: Json) {
  const parameters = asList(operation.parameters).map((each) => ({
    name: String(each.name),
    required: each.required === true,
    schema: asJson(each.schema),
    location: each.in === 'path' ? '路径' : '查询',
  }));
  const content = asJson(asJson(operation.requestBody).content);
  const body = asJson(asJson(content['application/json'] ?? content['multipart/form-data']).schema);
  const required = new Set(Array.isArray(body.required) ? body.required : []);
  const inBody = Object.entries(asJson(body.properties))
    .filter(([name]) => !parameters.some((parameter) => parameter.name === name))
    .map(([name, schema]) => ({
      name,
      required: required.has(name),
      schema: asJson(schema),
      location: '正文',
    }));
  return [...parameters, ...inBody];
}

function outputText(operation: Json): string {
  const ok = asJson(asJson(operation.responses)['200']);
  const schema = asJson(asJson(asJson(ok.content)['application/json']).schema);
  const success = asList(schema.oneOf)[0] ?? schema;
  return typeText(asJson(asJson(success.properties).data));
}

function errorText(operation: Json): string {
  return Object.entries(asJson(operation.responses))
    .flatMap(([status, response]) => {
      const schema = asJson(asJson(asJson(asJson(response).content)['application/json']).schema);
      const failure = asList(schema.oneOf)[1] ?? schema;
      const codes = asList(failure.allOf).flatMap((part) => {
        const code = asJson(asJson(part.properties).errorCode);
        return Array.isArray(code.enum) ? code.enum.map(String) : [];
      });
      return codes.map((code) => `<code>${status} ${escapeHtml(code)}</code>`);
    })
    .join(' ');
}

function section(path: string, method: string, operation: Json): string {
  const id = escapeHtml(String(operation.operationId));
  const fields = inputFields(operation);
  return `<section id="${id}">
    <h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
    <p>${escapeHtml(String(operation.summary))}。<small>${escapeHtml(String(operation.description))}</small></p>
    ${fields.length === 0 ? '' : `<div class="scroll"><table><thead><tr><th>字段</th><th>位置</th><th>类型</th><th>说明</th></tr></thead><tbody>${fieldRows(fields)}</tbody></table></div>`}
    <details><summary>返回的 data</summary><pre tabindex="0">${escapeHtml(outputText(operation))}</pre></details>
    <p class="codes">错误码：${errorText(operation)}</p>
  </section>`;
}

/** Renders the OpenAPI document as plain HTML without scripts. */
export function renderDocsPage(document: Json, styleHref: string): string {
  const info = asJson(document.info);
  const groups = new Map<string, string[]>();
  const links = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(asJson(document.paths))) {
    for (const [method, value] of Object.entries(asJson(methods))) {
      const operation = asJson(value);
      const tag = String((Array.isArray(operation.tags) ? operation.tags[0] : '') ?? '');
      groups.set(tag, [...(groups.get(tag) ?? []), section(path, method, operation)]);
      const link = `<li><a href="#${escapeHtml(String(operation.operationId))}"><span class="method ${method}">${method.toUpperCase()}</span>${escapeHtml(path.replace('/api/', ''))}</a></li>`;
      links.set(tag, [...(links.get(tag) ?? []), link]);
    }
  }
  const title = escapeHtml(String(info.title));
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${escapeHtml(styleHref)}">
</head>
<body>
<nav aria-label="接口">${[...links].map(([tag, list]) => `<h2>${escapeHtml(tag)}</h2><ul>${list.join('')}</ul>`).join('')}</nav>
<main>
<h1>${title}</h1>
<p>${escapeHtml(String(info.description))}</p>
<p>机器可读的描述：<a href="openapi.json">openapi.json</a>（OpenAPI 3.1）</p>
${[...groups].map(([tag, list]) => `<h2>${escapeHtml(tag)}</h2>${list.join('')}`).join('')}
</main>
</body>
</html>`;
}

export const docsStyle = `
:root { color-scheme: light dark; --bg: #fcfbf9; --ink: #23201d; --quiet: #716a63; --line: #ebe7e2; --fill: #f2efeb; --brand: #c5373a; }
@media (prefers-color-scheme: dark) { :root { --bg: #171513; --ink: #ddd8d1; --quiet: #958e86; --line: #2f2b27; --fill: #2b2724; --brand: #ff918e; } }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: minmax(0, 1fr); background: var(--bg); color: var(--ink); font: 15px/1.7 "PingFang SC", "Noto Sans SC", "Noto Sans CJK SC", "Microsoft YaHei", system-ui, sans-serif; }
code, pre, .method { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 13px; }
a { color: inherit; }
nav { display: none; }
main { padding: 24px 16px 64px; max-width: 960px; }
h1 { font-size: 28px; }
main h2 { margin-top: 48px; padding-bottom: 8px; border-bottom: 1px solid var(--line); font-size: 20px; }
h3 { margin: 32px 0 4px; font-size: 16px; font-weight: 600; overflow-wrap: anywhere; }
section { scroll-margin-top: 16px; }
small { color: var(--quiet); }
.method { display: inline-block; min-width: 52px; color: var(--brand); font-weight: 600; }
.scroll { overflow-x: auto; }
table { width: 100%; min-width: 560px; border-collapse: collapse; }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; font-size: 14px; }
th { color: var(--quiet); font-weight: 400; }
td code { white-space: pre-wrap; }
b { color: var(--brand); font-size: 12px; font-weight: 400; }
summary { margin-top: 8px; cursor: pointer; }
pre { margin: 8px 0; padding: 12px 16px; overflow-x: auto; border-radius: 8px; background: var(--fill); line-height: 1.6; }
.codes { color: var(--quiet); font-size: 13px; }
.codes code { margin-right: 8px; white-space: nowrap; }
@media (width >= 1024px) {
  body { grid-template-columns: 320px minmax(0, 1fr); }
  nav { display: block; position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 16px 16px 48px; border-right: 1px solid var(--line); }
  nav h2 { margin: 16px 0 4px; font-size: 13px; color: var(--quiet); }
  nav ul { margin: 0; padding: 0; list-style: none; }
  nav a { display: block; padding: 3px 0; text-decoration: none; font-size: 13px; overflow-wrap: anywhere; }
  nav a:hover { text-decoration: underline; }
  main { padding-inline: 48px; }
}
`;
