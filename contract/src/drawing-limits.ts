/** Limits of the drawings that a writer's browser sends with a submission; what exceeds them is drawn by readers. */
export const MAX_DRAWINGS = 40;
/** Characters of the SVG of one diagram in one theme. */
export const MAX_DRAWING_LENGTH = 200_000;
/** Bytes of the JSON of all drawings of an essay, and of the request with them. */
export const MAX_DRAWINGS_BYTES = 1_480_000;
export const MAX_DRAWINGS_BODY_BYTES = 1_500_000;
/** Pixels. */
export const MAX_DRAWING_SIDE = 10_000;
