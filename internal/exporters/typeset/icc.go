package typeset

import (
	"encoding/binary"
	"math"
)

// sRGBProfile returns a small ICC 2.1 profile of sRGB (IEC 61966-2-1, adapted to D50): PDF/A requires colours to refer
// to one. The tone curve is a table of what the standard's formula gives for 8-bit values, which all colours here are;
// between them, linear interpolation is right to a step of 16 bits.
func sRGBProfile() []byte {
	type tag struct {
		name string
		data []byte
	}
	curve := toneCurve()
	tags := []tag{
		{"desc", textDescription("sRGB IEC61966-2.1")},
		{"cprt", append([]byte("text\x00\x00\x00\x00"), "Public domain\x00"...)},
		{"wtpt", xyz(0xF6D6, 0x10000, 0xD32D)},
		{"rXYZ", xyz(0x6FA2, 0x38F5, 0x0390)},
		{"gXYZ", xyz(0x6299, 0xB785, 0x18DA)},
		{"bXYZ", xyz(0x24A0, 0x0F84, 0xB6CF)},
		{"rTRC", curve},
		{"gTRC", nil}, {"bTRC", nil}, // the same curve as red
	}
	index := binary.BigEndian.AppendUint32(nil, uint32(len(tags)))
	var body []byte
	at, size := uint32(0), uint32(0)
	for _, t := range tags {
		if t.data != nil {
			for len(body)%4 != 0 {
				body = append(body, 0)
			}
			at, size = uint32(128+4+12*len(tags)+len(body)), uint32(len(t.data))
			body = append(body, t.data...)
		}
		index = append(index, t.name...)
		index = binary.BigEndian.AppendUint32(index, at)
		index = binary.BigEndian.AppendUint32(index, size)
	}
	return append(append(profileHeader(128+len(index)+len(body)), index...), body...)
}

// profileHeader returns the 128 bytes that start every profile; its date is fixed.
func profileHeader(size int) []byte {
	h := make([]byte, 128)
	binary.BigEndian.PutUint32(h, uint32(size))
	copy(h[8:], []byte{2, 0x10, 0, 0})
	copy(h[12:], "mntrRGB XYZ ")
	copy(h[24:], []byte{0x07, 0xCE, 0, 2, 0, 9, 0, 6, 0, 49, 0, 0})
	copy(h[36:], "acsp")
	copy(h[68:], []byte{0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D}) // D50
	return h
}

func xyz(x, y, z uint32) []byte {
	out := []byte("XYZ \x00\x00\x00\x00")
	for _, v := range []uint32{x, y, z} {
		out = binary.BigEndian.AppendUint32(out, v)
	}
	return out
}

// textDescription returns ICC 2's description: ASCII, without Unicode or Macintosh text.
func textDescription(s string) []byte {
	out := append([]byte("desc\x00\x00\x00\x00"), 0, 0, 0, byte(len(s)+1))
	out = append(append(out, s...), 0)
	return append(out, make([]byte, 4+4+2+1+67)...)
}

// toneCurve returns sRGB's transfer function.
func toneCurve() []byte {
	const n = 256
	out := append([]byte("curv\x00\x00\x00\x00"), 0, 0, n>>8, n&0xFF)
	for i := range n {
		out = binary.BigEndian.AppendUint16(out, uint16(linear(float64(i)/(n-1))*65535+0.5))
	}
	return out
}

// linear returns the linear light of an sRGB value, both from 0 to 1.
func linear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}
