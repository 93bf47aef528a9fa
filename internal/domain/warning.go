package domain

import "encoding/json"

// Warning is about one thing in the input that was not taken as the sender may expect: dropped, mended, or stored but
// not understood. Answers of the API hold it without its message.
type Warning struct {
	Path string `json:"path"`
	Msg  string `json:"message"` // safe to show

	Said Message `json:"-"` // what Msg says
}

// Warn returns a warning with its message in English too.
func Warn(path string, m Message) Warning { return Warning{Path: path, Msg: m.String(), Said: m} }

// StoredWarnings are warnings as they are stored, with their messages.
type StoredWarnings []Warning

// storedWarning is one of them.
type storedWarning struct {
	Warning
	Said Message `json:"said"`
}

// MarshalJSON implements json.Marshaler.
func (s StoredWarnings) MarshalJSON() ([]byte, error) {
	out := make([]storedWarning, len(s))
	for i, w := range s {
		out[i] = storedWarning{w, w.Said}
	}
	return json.Marshal(out)
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *StoredWarnings) UnmarshalJSON(data []byte) error {
	var in []storedWarning
	err := json.Unmarshal(data, &in)
	for _, w := range in {
		w.Warning.Said = w.Said
		*s = append(*s, w.Warning)
	}
	return err
}
