declare module 'wawoff2/decompress.js' {
  /** The font as it was before it was packed. */
  function decompress(packed: Uint8Array): Promise<Uint8Array>;
  export = decompress;
}
