package typeset

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tone curve is the standard's, for every 8-bit colour exactly, and between them to a step of 16 bits.
func TestToneCurve(t *testing.T) {
	curve := toneCurve()
	require.Equal(t, "curv", string(curve[:4]))
	values := curve[12:]
	n := len(values) / 2
	require.EqualValues(t, n, binary.BigEndian.Uint32(curve[8:]))
	at := func(i int) float64 { return float64(binary.BigEndian.Uint16(values[2*i:])) }
	for i := range 256 {
		require.InDelta(t, 65535*linear(float64(i)/255), at(i), 0.5)
	}
	for i := range 10_000 {
		v := float64(i) / 10_000 * float64(n-1)
		left := int(v)
		require.InDelta(t, 65535*linear(v/float64(n-1)), at(left)+(v-float64(left))*(at(left+1)-at(left)), 1)
	}
}
