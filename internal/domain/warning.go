package domain

// Warning is about one thing in the input that was not taken as the sender may expect: dropped, mended, or stored but
// not understood. Answers of the API and stored jobs hold it.
type Warning struct {
	Path string `json:"path"`
	Msg  string `json:"message"` // safe to show

	Said Message `json:"-"` // what Msg says; zero of one that was stored without
}

// Warn returns a warning with its message in English too.
func Warn(path string, m Message) Warning { return Warning{Path: path, Msg: m.String(), Said: m} }

// Named is somebody, or some machine, by id and shown name.
type Named struct{ ID, Name string }
