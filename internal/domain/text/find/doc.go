// Package find tells which words a text is found by and what a query searches for, and marks in a text what a query
// finds there. Figures are read by package quantity, so that "30", "thirty", "٣٠" and "ثلاثون" find each other. Pure.
package find
