/** `traditional simplified|…`, character by character. */
declare module 'opencc-js/dict/TSCharacters' {
  const pairs: string;
  // biome-ignore lint/style/noDefaultExport: the package's own
  export default pairs;
}
