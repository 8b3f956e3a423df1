export const codeMirrorPhrases: Record<string, string> = {
  'Control character': '控制字符',
  Completions: '插入内容',
  close: '关闭',
  'Go to line': '跳到行',
  go: '跳转',
  'Selection deleted': '已删除所选',
  '$ unchanged lines': '$ 行没有改动',
};
