/** A module of its own, because the styles of modules that a page imports directly are put into its head. */
export const importRoomDrawer = () => import('./room-drawer.tsx');
