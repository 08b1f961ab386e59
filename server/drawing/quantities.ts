/** Figures as they are written everywhere, for those who see the pictures alone. */
export { countOf as plural, formatBytes, formatNumber, formatSeconds, formatShare } from '../model/quantities.ts';
