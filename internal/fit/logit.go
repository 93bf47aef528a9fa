package main

import "math"

// logit is a logistic model on standardised features, in log-odds.
type logit struct {
	mean, scale, weight []float64
	bias                float64
}

func (l *logit) score(x []float64) float64 {
	s := l.bias
	for i, v := range x {
		s += float64(l.weight[i] * (v - l.mean[i]) / l.scale[i])
	}
	return s
}

// steps is the number of gradient steps in fitLogit.
const steps = 150

// fitLogit trains by projected gradient steps, so that no weight has a sign that its feature may not have.
func fitLogit(examples []example, ridge float64, signs []int) *logit {
	k := len(examples[0].x)
	l := &logit{mean: make([]float64, k), scale: make([]float64, k), weight: make([]float64, k)}
	total := 0.0
	for _, e := range examples {
		total += e.weight
		for i, v := range e.x {
			l.mean[i] += float64(e.weight * v)
		}
	}
	for i := range l.mean {
		l.mean[i] /= total
	}
	for _, e := range examples {
		for i, v := range e.x {
			l.scale[i] += float64(e.weight * (v - l.mean[i]) * (v - l.mean[i]))
		}
	}
	for i := range l.scale {
		l.scale[i] = math.Sqrt(l.scale[i]/total) + 1e-6
	}
	z := make([][]float64, len(examples))
	for j, e := range examples {
		z[j] = make([]float64, k)
		for i, v := range e.x {
			z[j][i] = (v - l.mean[i]) / l.scale[i]
		}
	}
	// accelerated proximal gradient; the step size fits the curvature of correlated features
	step := 4.0 / (float64(k) * 0.5)
	grad := make([]float64, k)
	prev := make([]float64, k)
	look := make([]float64, k)
	bias, t := 0.0, 1.0
	for range steps {
		for i := range grad {
			grad[i] = -ridge * look[i]
		}
		gb := 0.0
		for j, e := range examples {
			s := bias
			for i, v := range z[j] {
				s += float64(look[i] * v)
			}
			d := e.weight / total * (e.y - 1/(1+math.Exp(-s)))
			gb += d
			for i, v := range z[j] {
				grad[i] += float64(d * v)
			}
		}
		bias += gb
		tn := (1 + math.Sqrt(1+float64(4*t*t))) / 2
		for i := range grad {
			w := look[i] + float64(step*grad[i])
			if signs[i] > 0 {
				w = math.Max(0, w)
			} else if signs[i] < 0 {
				w = math.Min(0, w)
			}
			look[i] = w + float64((t-1)/tn*(w-prev[i]))
			prev[i] = w
		}
		t = tn
	}
	copy(l.weight, prev)
	l.bias = bias
	return l
}
