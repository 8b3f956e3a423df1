import { createHash } from 'node:crypto';

const escapeHtml = (text: string) =>
  text.replace(
    /[&<>"]/g,
    (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? letter,
  );

const STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf9; --ink: #2a2725; --ink-2: #6a635e; --line: #e7e2de; --hill: #e9dfd8; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #171615; --ink: #ece8e4; --ink-2: #a49c95; --line: #35312e; --hill: #2b2522; }
}
* { box-sizing: border-box; margin: 0; }
body {
  display: flex; flex-direction: column; min-height: 100vh; min-height: 100dvh; background: var(--paper); color: var(--ink);
  font: 16px/1.8 "PingFang SC", "Noto Sans SC", "Source Han Sans SC", "Microsoft YaHei", system-ui, sans-serif;
  text-autospace: normal; line-break: strict;
}
main { flex: 1; display: flex; flex-direction: column; justify-content: center; width: min(560px, 100%); margin: 0 auto; padding: 48px 24px; }
.brand { display: flex; gap: 10px; align-items: center; margin-bottom: 40px; font-weight: 600; font-size: 18px; }
.brand svg { flex: none; width: 32px; height: 32px; }
h1 { margin-bottom: 16px; font-size: 28px; line-height: 1.35; }
p { margin-bottom: 12px; overflow-wrap: anywhere; text-wrap: pretty; }
.note { margin-top: 12px; padding-top: 20px; border-top: 1px solid var(--line); color: var(--ink-2); font-size: 14px; }
a { color: inherit; text-underline-offset: 3px; }
a:focus-visible { outline: 2px solid currentColor; outline-offset: 3px; border-radius: 2px; }
.hills { display: block; width: 100%; height: 22vh; color: var(--hill); }
`;

/** The page loads nothing but its own style. */
export const MAINTENANCE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Shapes of the site's mark, as SVG attributes. */
export interface LogoShapes {
  box: string;
  drop: string;
  layers: string;
}

interface MaintenancePage {
  mark: LogoShapes;
  title: string;
  /** `#rrggbb`. */
  colorPrimary: string;
  /** Plain text of the operator; each line is a paragraph. */
  text: string;
  basePath: string;
}

export function renderMaintenancePage({
  mark,
  title,
  colorPrimary,
  text,
  basePath,
}: MaintenancePage): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const paragraphs = lines.length === 0 ? ['我们正在做一些调整，很快就好。'] : lines;
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>正在维护 · ${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="brand"><svg viewBox="${mark.box}" fill="none" aria-hidden="true"><rect width="28" height="28" rx="7" fill="${escapeHtml(colorPrimary)}"/><path d="${mark.drop}" fill="#fff"/><path d="${mark.layers}" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>${escapeHtml(title)}</div>
<h1>网站正在维护</h1>
${paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
<p class="note">恢复以后，<a href="">重新打开</a>这个页面就能继续阅读。工作人员请<a href="${escapeHtml(basePath)}/admin/">从这里进入</a>。</p>
</main>
<svg class="hills" viewBox="0 0 1200 200" preserveAspectRatio="none" aria-hidden="true"><path fill="currentColor" opacity=".45" d="M0 120 C180 40 330 60 520 110 S900 20 1200 90 V200 H0Z"/><path fill="currentColor" d="M0 160 C240 100 420 120 640 150 S1000 90 1200 140 V200 H0Z"/></svg>
</body>
</html>
`;
}
