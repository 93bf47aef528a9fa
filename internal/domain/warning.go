package domain

// Warning is about one thing in the input that was not taken as the sender may expect: dropped, mended, or stored but
// not understood. Answers of the API and stored jobs hold it.
type Warning struct {
	Path string `json:"path"`
	Msg  string `json:"message"` // safe to show
}

// Named is somebody, or some machine, by id and shown name.
type Named struct{ ID, Name string }
