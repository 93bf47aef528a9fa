package ui

import "sanad/internal/domain/filter"

// Left returns the filter called name if its value could not be used, and nil otherwise.
func (c *Chrome) Left(name string) *filter.Left {
	for i := range c.LeftFilters {
		if c.LeftFilters[i].Name == name {
			return &c.LeftFilters[i]
		}
	}
	return nil
}

// DayFilter is a date field that limits a list to days from or up to day; it keeps what was typed into it.
func (c *Chrome) DayFilter(id, name, label, day string) DateField {
	f := DateField{ID: id, Name: name, Label: label, Value: c.InDigits(day)}
	if left := c.Left(name); left != nil {
		f.Value, f.Invalid = left.Value, true
	}
	return f
}
