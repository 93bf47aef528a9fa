//go:build !race

package typeset

const raceEnabled = false
