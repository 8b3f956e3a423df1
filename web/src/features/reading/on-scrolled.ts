/** Runs now, and in the next frame after every scroll or resize. Returns a function that stops it. */
export function onScrolled(listener: () => void): () => void {
  let frame = 0;
  const run = () => {
    frame = 0;
    listener();
  };
  const later = () => {
    frame ||= requestAnimationFrame(run);
  };
  listener();
  addEventListener('scroll', later, { passive: true });
  addEventListener('resize', later);
  return () => {
    cancelAnimationFrame(frame);
    removeEventListener('scroll', later);
    removeEventListener('resize', later);
  };
}
