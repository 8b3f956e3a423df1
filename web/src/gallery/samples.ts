export const LONG_TEXT = '一个很长很长的名字，长到一行放不下，看看它在这里是换行、截断，还是把旁边的东西挤走';
export const NAME = '林砚';
export const DATE = '2026-10-30T08:00:00.000Z';

export const PICTURE_SOURCE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="#bb8b84" d="M0 0h4v3H0z"/><circle cx="2" cy="1.5" r="1" fill="#fff6f4"/></svg>';
/** A data URL, so that no server is needed. */
export const PICTURE = `data:image/svg+xml,${encodeURIComponent(PICTURE_SOURCE)}`;

/** Essay HTML as rendered by the server. */
export const PROSE = `
<h2>二级标题</h2>
<p>正文里有<strong>重点</strong>、<em>着重</em>、<a href="#prose">链接</a>、<code>code</code> 和 <kbd>Ctrl</kbd>。</p>
<h3>三级标题</h3>
<ul><li>列表的第一项</li><li>第二项</li></ul>
<ol><li>先做这一步</li><li>再做那一步</li></ol>
<blockquote><p>别人说过的话。</p></blockquote>
<div class="callout tip"><p class="callout-title">提示</p><p>这样做更省事。</p></div>
<div class="callout warning"><p class="callout-title">注意</p><p>做之前先备份。</p></div>
<figure class="code"><figcaption><span class="code-name">hello.ts</span></figcaption><pre tabindex="0"><code><span class="line"><span class="tk-keyword">const</span> name = <span class="tk-string">'墨栈'</span>;</span></code></pre></figure>
<div class="table" tabindex="0"><table><thead><tr><th>名称</th><th align="right">数量</th></tr></thead><tbody><tr><td>苹果</td><td align="right">3</td></tr><tr><td>梨</td><td align="right">12</td></tr></tbody></table></div>
<hr>
<p>最后一段。</p>`;

/** Comment HTML as rendered by the server. */
export const MESSAGE = `
<p>同意，<a href="#said">这里</a>写得很清楚，<code>scanLimit</code> 也解释到了。</p>
<ul><li>第一点</li><li>第二点</li></ul>
<blockquote><p>原文的一句话。</p></blockquote>
<pre tabindex="0"><code>npm run ui</code></pre>`;

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAUCAMAAADbT899AAAAA1BMVEXFNzpmFRD3AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQokWNgGAWjYHABAAKUAAFl+TQ2AAAAAElFTkSuQmCC';

/** A red picture of 32 by 20 pixels. */
export const samplePicture = (): Blob =>
  new Blob([Uint8Array.from(atob(PNG), (char) => char.charCodeAt(0))], { type: 'image/png' });
