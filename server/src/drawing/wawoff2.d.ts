declare module 'wawoff2/decompress.js' {
  function decompress(compressed: Uint8Array): Promise<Uint8Array>;
  export = decompress;
}
