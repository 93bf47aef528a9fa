//go:build race

package exporters

const raceEnabled = true
