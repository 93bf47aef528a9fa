//go:build !noreader

package main

import (
	"sanad/internal/app"
	"sanad/internal/reader/weights"
)

// shipped is the embedded judge as it is released.
func shipped() *app.Embedded { return app.NewEmbedded(weights.File) }
