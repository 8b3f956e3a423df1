/** A step of its own: the styles of what a page fetches itself are in its head from the start. */
export const fetchDrawer = () => import('./room-drawer.tsx');
