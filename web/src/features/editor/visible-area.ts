/** Bars of the browser that appear and disappear are lower than any keyboard. */
const MIN_KEYBOARD_HEIGHT = 120;

interface Area {
  /** The visible height. */
  height: number;
  /** The height without a keyboard. */
  full: number;
  /** Above 1, the reader has zoomed in. */
  scale: number;
}

export const isKeyboardOpen = ({ height, full, scale }: Area): boolean =>
  scale === 1 && full - height >= MIN_KEYBOARD_HEIGHT;
