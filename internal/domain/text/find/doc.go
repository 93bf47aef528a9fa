// Package find reads by which words a text is found, what a query searches for, and marks the one in the other. Figures
// are read by package quantity, so that "30", "thirty", "٣٠" and "ثلاثون" find each other. Pure; no state.
package find
