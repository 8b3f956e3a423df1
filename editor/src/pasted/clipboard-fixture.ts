/** Clipboard HTML as these products write it, shortened. */

export const excel = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=ProgId content=Excel.Sheet>
<meta name=Generator content="Microsoft Excel 15"><link id=Main-File rel=Main-File href="file:///C:/Users/w/AppData/Local/Temp/clip.htm">
<style><!--table {mso-displayed-decimal-separator:"\\.";mso-displayed-thousand-separator:"\\,";}
.xl65 {text-align:center;} .xl66 {mso-number-format:"\\@";} td {padding-top:1px;color:black;font-size:11.0pt;}--></style></head>
<body link="#0563C1" vlink="#954F72">
<table border=0 cellpadding=0 cellspacing=0 width=288 style='border-collapse:collapse;width:216pt'>
<!--StartFragment-->
 <col width=72 span=4 style='width:54pt'>
 <tr height=19 style='height:14.25pt'>
  <td height=19 width=72 style='height:14.25pt;width:54pt'>名称</td><td class=xl65 width=72>城市</td><td width=72>数量</td><td width=72></td>
 </tr>
 <tr height=19 style='height:14.25pt'>
  <td rowspan=2 height=38 class=xl66>砚台</td><td class=xl65>歙县</td><td align=right>12</td><td></td>
 </tr>
 <tr height=19><td class=xl65>a|b</td><td align=right>3,400.5</td><td></td></tr>
 <tr height=19><td colspan=2 class=xl65>合计</td><td align=right>3,412.5</td><td></td></tr>
<!--EndFragment-->
</table></body></html>`;

export const feishu = `<meta charset='utf-8'><div data-page-id="doxcnKq1" data-lark-html-role="root" data-docx-has-block-data="false"><h2 class="heading-2 ace-line old-record-id-doxcn1">部署</h2><div class="ace-line ace-line old-record-id-doxcn2">先看<a href="https%3A%2F%2Fexample.com%2Fdocs%3Fa%3D1" class="link">文档</a>，<strong>再动手</strong>。</div><ul class="list-bullet1"><li class="ace-line old-record-id-doxcn3" data-list="bullet"><div>一级</div></li></ul><ul class="list-bullet2"><li class="ace-line" data-list="bullet"><div>二级</div></li></ul><ul class="list-bullet1"><li class="ace-line" data-list="bullet"><div>又一级</div></li></ul><ul class="list-check1"><li class="ace-line" data-list="check"><div>写文档</div></li><li class="ace-line" data-list="done"><div>跑测试</div></li></ul><pre style="white-space:pre;" class="ace-line old-record-id-doxcn4"><code class="language-C++" data-lark-language="C++" data-wrap="false"><div>int main() {
    return 0; // a_b

}</div></code></pre><table class="ace-table author-7021" data-ace-table-col-widths="100;100;"><colgroup><col width="100"><col width="100"></colgroup><tbody><tr><td colspan="1" rowspan="1"><div class="ace-line">项</div></td><td colspan="1" rowspan="1"><div class="ace-line">说明</div></td></tr><tr><td><div class="ace-line">端口</div></td><td><div class="ace-line">9000</div><div class="ace-line">可改</div></td></tr></tbody></table><div class="image-uploaded gallery"><img src="https://internal-api-drive-stream.feishu.cn/space/api/box/stream/download/authcode/?code=abc&amp;x=1" data-ace-gallery-json="%7B%7D"></div></div><span data-lark-record-data="{&quot;rootId&quot;:&quot;doxcn&quot;}" data-lark-record-format="docx/record" class="lark-record-clipboard"></span>`;

const lakeCard = (name: string, value: object) =>
  `<card type="inline" name="${name}" value="data:${encodeURIComponent(JSON.stringify(value))}"></card>`;

export const yuque = `<!doctype lake><meta name="doc-version" content="1" /><div class="lake-content" typography="classic"><h2 id="a1"><span class="ne-text">哈希</span></h2><p id="u1" class="ne-p"><span class="ne-text">用 </span><code class="ne-code"><span class="ne-text">capacity - 1</span></code><span class="ne-text"> 取模，即 </span>${lakeCard('math', { code: 'h_i \\bmod 2^n' })}<span class="ne-text">。</span></p><pre data-language="java" id="b1" class="ne-codeblock language-java"><code>int index = hash &amp; (capacity - 1);
return index;</code></pre><ol class="ne-ol"><li id="u2" data-lake-index-type="0"><span class="ne-text">甲</span></li></ol><ul class="ne-list-wrap"><ul ne-level="1" class="ne-ul"><li id="u3"><span class="ne-text">甲之一</span></li></ul></ul><ol start="2" class="ne-ol"><li id="u4"><span class="ne-text">乙</span></li></ol><div data-type="warning" class="ne-alert"><p class="ne-p"><span class="ne-text">小心溢出</span></p></div><div class="ne-quote"><p class="ne-p"><span class="ne-text">引一句</span></p></div><table id="t" class="ne-table" style="width: 600px"><tbody><tr style="height: 33px"><td width="300"><p class="ne-p" style="text-align: center"><span class="ne-text">键</span></p></td><td width="300"><p class="ne-p"><span class="ne-text">值</span></p></td></tr><tr><td><p class="ne-p" style="text-align: center"><span class="ne-text">1</span></p></td><td><ul class="ne-ul"><li><span class="ne-text">甲</span></li><li><span class="ne-text">乙</span></li></ul></td></tr></tbody></table><p class="ne-p"><img src="https://cdn.nlark.com/yuque/0/2022/png/12/1664-abc.png" width="300" id="u9" class="ne-image" alt="示意图"></p><p class="ne-p"><span id="m" class="ne-math"><img src="https://cdn.nlark.com/yuque/__latex/f00.svg" alt="E=mc^2"></span></p></div>`;

export const notion = `<meta charset='utf-8'><h2>缓存 <!-- notionvc: 5b1f2a9e-3f0e-4a4b-8a53-d0a3f5a3c111 --></h2><p>能量 $a_1*b_1$ 与 <code>$HOME</code>，价格 $5。</p><p>$$\\int_0^1 x_i\\,dx$$</p><ul><li>[ ] 待办 <a href="https://www.notion.so/x">链接</a></li><li>[x] 做完的<ul><li>里面</li></ul></li></ul><ol><li>一<ol><li>一之一</li></ol></li><li>二</li></ol><pre><code class="language-typescript">const a: number = 1;
const b = a &lt; 2;
</code></pre><table><thead><tr><th>键</th><th>值</th></tr></thead><tbody><tr><td>甲</td><td>乙</td></tr></tbody></table><figure><img src="https://prod-files-secure.s3.us-west-2.amazonaws.com/x/y/图 (1).png"/><figcaption>架构</figcaption></figure>`;

export const wechat = `<section data-tool="mdnice编辑器" style="font-size: 16px;"><h2 style="margin-top: 30px;"><span class="prefix" style="display: none;"></span><span class="content">锁</span></h2><section style="text-align: justify;"><span leaf="">公众号的一段，<strong><span leaf="">重点</span></strong>。</span></section><section><span leaf=""><br></span></section><ul class="list-paddingleft-1" style="list-style-type: disc;"><li><section><p><span leaf="">第一条</span></p></section></li><li><p>第二条</p></li></ul><section class="code-snippet__fix code-snippet__js"><ul class="code-snippet__line-index code-snippet__js"><li></li><li></li><li></li></ul><pre class="code-snippet__js" data-lang="javascript"><code><span class="code-snippet_outer"><span class="code-snippet__keyword">const</span> a = <span class="code-snippet__number">1</span>;</span></code><code><span class="code-snippet_outer"><br></span></code><code><span class="code-snippet_outer">run(a);</span></code></pre></section><p style="text-align: center;"><img class="rich_pages wxw-img" data-galleryid="" data-ratio="0.56" data-src="https://mmbiz.qpic.cn/mmbiz_png/abc/640?wx_fmt=png&amp;from=appmsg" data-type="png" data-w="1080" src="data:image/svg+xml,%3Csvg%3E%3C/svg%3E" alt="图片"></p><section class="block-equation"><span data-formula="a^2+b^2=c^2" style="cursor:pointer;"><svg xmlns="http://www.w3.org/2000/svg"><g></g></svg></span></section><table><tbody><tr><td valign="top"><section>列一</section></td><td>列二</td></tr><tr><td><section>甲</section></td><td><section>乙</section></td></tr></tbody></table><p><a href="javascript:void(0);">关注</a><a class="normal_text_link" href="https://mp.weixin.qq.com/s/abc">往期</a></p></section>`;

const mark = (text: string) =>
  `<![if !supportLists]><span lang=EN-US style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${text}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>`;

export const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns:m="http://schemas.microsoft.com/office/2004/12/omml" xmlns="http://www.w3.org/TR/REC-html40"><head><meta name=Generator content="Microsoft Word 15"><style><!--p.MsoNormal {margin:0cm;text-align:justify;}--></style></head><body lang=ZH-CN style='tab-interval:21.0pt'><!--StartFragment-->
<h1><a name="_Toc1"><span>方案</span></a><span lang=EN-US><o:p></o:p></span></h1>
<p class=MsoNormal><b><span>目标</span></b><span>：三天</span><a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1" title=""><span class=MsoFootnoteReference><span lang=EN-US style='mso-special-character:footnote'><![if !supportFootnotes]><span class=MsoFootnoteReference>[1]</span><![endif]></span></span></a><span>上线，水是</span>H<sub>2</sub>O<o:p></o:p></p>
<p class=MsoListParagraph style='margin-left:21.0pt;mso-list:l0 level1 lfo1'>${mark('1.')}<span>先做</span><o:p></o:p></p>
<p class=MsoListParagraph style='margin-left:42.0pt;mso-list:l0 level2 lfo1'>${mark('·')}<span>细节</span></p>
<p class=MsoListParagraph style='margin-left:21.0pt;mso-list:l0 level1 lfo1'>${mark('2.')}<span>后做</span></p>
<p class=MsoNormal><span style='font-family:Consolas'>npm install</span></p>
<p class=MsoNormal><span style='font-family:Consolas'>npm start -- --port&nbsp;9000</span></p>
<p class=MsoNormal><!--[if gte msEquation 12]><m:oMath><m:f><m:fPr><m:ctrlPr></m:ctrlPr></m:fPr><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:rad><m:radPr><m:degHide m:val="on"/></m:radPr><m:deg/><m:e><m:r><m:t>b</m:t></m:r></m:e></m:rad></m:den></m:f><m:r><m:t>=</m:t></m:r><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath><![endif]--><![if !msEquation]><span lang=EN-US style='position:relative'><img width=21 height=17 src="file:///C:/Temp/msohtmlclip1/01/clip_image002.png"></span><![endif]></p>
<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0><tr><td width=184 valign=top style='border:solid windowtext 1.0pt'><p class=MsoNormal>阶段</p></td><td width=184><p class=MsoNormal align=right style='text-align:right'>天数</p></td></tr><tr><td><p class=MsoNormal>一</p></td><td><p class=MsoNormal align=right style='text-align:right'>3<o:p></o:p></p></td></tr></table>
<p class=MsoNormal><!--[if gte vml 1]><v:shape id="p" style='width:60pt'><v:imagedata src="file:///C:/Temp/clip_image003.png"/></v:shape><![endif]--><![if !vml]><img width=80 height=60 src="file:///C:/Temp/msohtmlclip1/01/clip_image003.png" v:shapes="p"><![endif]></p>
<div style='mso-element:footnote-list'><![if !supportFootnotes]><br clear=all><hr align=left size=1 width="33%"><![endif]><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText><a style='mso-footnote-id:ftn1' href="#_ftnref1" name="_ftn1" title=""><span class=MsoFootnoteReference>[1]</span></a><span> 不含周末</span></p></div></div>
<!--EndFragment--></body></html>`;

export const wordRtf = String.raw`{\rtf1\ansi{\*\shppict{\pict{\*\picprop\shplid1025{\sp{\sn shapeType}{\sv 75}}}\picscalex100\picscaley100\piccropl0\picw1587\pich1058\picwgoal900\pichgoal600\pngblip\bliptag-1{\*\blipuid 0123456789abcdef0123456789abcdef}89504e470d0a
1a0a}}{\nonshppict{\pict\picscalex100\wmetafile8\bliptag-1 0100}}text}`;

/** Formulas, code and notes of other sites. */
export const pages = {
  katex:
    '<p>由 <span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>a</mi></mrow><annotation encoding="application/x-tex">a_1 + \\frac{1}{2}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base">a</span></span></span> 得</p><span class="katex-display"><span class="katex"><math><semantics><mi>b</mi><annotation encoding="application/x-tex">b = c</annotation></semantics></math></span></span>',
  zhihu:
    '<p>设 <img src="https://www.zhihu.com/equation?tex=x%5E2" alt="x^2" eeimg="1"> 与 <span class="ztext-math" data-eeimg="1" data-tex="y_i">y</span></p><p><a href="https://link.zhihu.com/?target=https%3A//example.com/a" class="wrap external">原文</a></p>',
  github:
    '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled=""> 未完</li><li class="task-list-item"><input type="checkbox" checked=""> 已完</li></ul><div class="highlight highlight-source-rust notranslate"><pre>fn <span class="pl-en">main</span>() {}</pre><div class="zeroclipboard-container"><button>copy</button></div></div><p>注<sup><a href="https://github.com/a/b#user-content-fn-x-1" id="user-content-fnref-x-1" data-footnote-ref="">1</a></sup>。</p><section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2><ol><li id="user-content-fn-x-1"><p>解释 <a href="#user-content-fnref-x-1" data-footnote-backref="" class="data-footnote-backref">↩</a></p></li></ol></section>',
  hexo: '<figure class="highlight js"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td><td class="code"><pre><span class="line"><span class="keyword">let</span> a;</span><br><span class="line">a = 1;</span><br></pre></td></tr></table></figure>',
  csdn: '<pre data-index="0" class="set-code-show prettyprint"><code class="prism language-python has-numbering" onclick="mdcp.copyCode(event)">x = 1\nprint(x)\n<div class="hljs-button {2}" data-title="复制"></div></code><ul class="pre-numbering"><li>1</li><li>2</li></ul></pre>',
};
