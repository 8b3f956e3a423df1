/** Runs now, and in the next frame after every scroll or resize. Returns a function that stops it. */
export function onScroll(listener: () => void): () => void {
  let frame = 0;
  const run = () => {
    frame = 0;
    listener();
  };
  const schedule = () => {
    frame ||= requestAnimationFrame(run);
  };
  listener();
  addEventListener('scroll', schedule, { passive: true });
  addEventListener('resize', schedule);
  return () => {
    cancelAnimationFrame(frame);
    removeEventListener('scroll', schedule);
    removeEventListener('resize', schedule);
  };
}
