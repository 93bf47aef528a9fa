//go:build noreader

package main

import "sanad/internal/app"

// shipped is the embedded judge without its reader: of the program that tests build which are not about verdicts.
func shipped() *app.Embedded { return nil }
