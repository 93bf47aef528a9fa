//go:build race

package typeset

const raceEnabled = true
