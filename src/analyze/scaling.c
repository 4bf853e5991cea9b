#include "analyze/scaling.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"

bool scaling_models(const struct cell *cell)
{
	return cell->mode == MODE_RANDOM && cell->access == ACCESS_RAW && cell->depth == 1;
}

int scaling_init(struct scaling *scaling, const struct plan *plan)
{
	*scaling = (struct scaling){ .plan = plan };
	if (plan->order != ORDER_SCALE)
		return 0;
	scaling->draws = calloc(plan->cells, sizeof *scaling->draws);
	scaling->rounds = calloc(plan->cells, sizeof *scaling->rounds);
	if (scaling->draws && scaling->rounds)
		return 0;
	scaling_release(scaling);
	return -ENOMEM;
}

void scaling_release(struct scaling *scaling)
{
	for (size_t i = 0; scaling->draws && i < scaling->plan->cells; i++)
		free(scaling->draws[i]);
	free(scaling->draws);
	free(scaling->rounds);
	free(scaling->step);
	free(scaling->portrait);
	*scaling = (struct scaling){ .plan = scaling->plan };
}

static int keep_draws(struct draws **draws, const struct histogram *latency)
{
	*draws = malloc(sizeof **draws);
	if (!*draws)
		return -ENOMEM;
	draws_from(*draws, latency);
	return 0;
}

static bool all_have_read(const struct outcome *outcome)
{
	for (unsigned i = 0; i < outcome->cell->disks; i++)
		if (!outcome->disk[i].tally.trace.reads)
			return false;
	return true;
}

static int judge_rounds(struct rounds *rounds, const struct outcome *outcome, uint64_t seed)
{
	const unsigned disks = outcome->cell->disks;
	struct course *course = calloc(disks, sizeof *course);
	int result;

	if (!course)
		return -ENOMEM;
	for (unsigned i = 0; i < disks; i++) {
		const struct track *track = &outcome->disk[i];
		const int64_t end_ns = track->ended_ns < outcome->end_ns ? track->ended_ns : outcome->end_ns;

		course[i] = (struct course){ &track->tally.trace, end_ns - outcome->start_ns };
	}
	result = rounds_judge(rounds, course, disks, seed);
	free(course);
	return result;
}

int scaling_add(struct scaling *scaling, const struct outcome *outcome)
{
	const size_t cell = (size_t)(outcome->cell - scaling->plan->cell);

	if (!scaling->draws || !scaling_models(outcome->cell) || !all_have_read(outcome))
		return 0;
	if (outcome->cell->disks == 1)
		return keep_draws(&scaling->draws[cell], &outcome->disk->tally.latency);
	return judge_rounds(&scaling->rounds[cell], outcome, scaling->plan->limits.seed);
}

/* The rows of all disks by coordinate and group: as the plan has them, each disk alone, then the first 2, 3 ... of them. */
struct table {
	const struct plan *plan;
	const struct row **all;         /* of each cell; NULL: not measured */
	size_t coordinates;
};

static int table_init(struct table *table, const struct plan *plan, const struct row *row, size_t rows)
{
	*table = (struct table){ plan, calloc(plan->cells, sizeof *table->all), plan->cells / (2 * plan->disks - 1) };
	if (!table->all)
		return -ENOMEM;
	for (const struct row *all = row; all < row + rows; all++)
		if (!all->disk)
			table->all[all->cell - plan->cell] = all;
	return 0;
}

static const struct row *row_alone(const struct table *table, size_t coordinate, unsigned disk)
{
	return table->all[disk * table->coordinates + coordinate];
}

static const struct row *row_of_first(const struct table *table, size_t coordinate, unsigned disks)
{
	const unsigned group = disks == 1 ? 0 : table->plan->disks + disks - 2;

	return table->all[group * table->coordinates + coordinate];
}

/* Of all disks of a cell; NAN when one of them was not there, or not well. */
static double figure_of(const struct row *all, enum figure figure)
{
	if (!all)
		return NAN;
	for (const struct row *row = all - all->cell->disks; row <= all; row++)
		if (row->status != ROW_OK)
			return NAN;
	return all->figure[figure];
}

static double rate_of(const struct row *all)
{
	return figure_of(all, FIGURE_BYTE_RATE);
}

static double sum_alone(const struct table *table, size_t coordinate, unsigned disks)
{
	double sum = 0;

	for (unsigned disk = 0; disk < disks; disk++)
		sum += rate_of(row_alone(table, coordinate, disk));
	return sum;
}

/* Raw reads of a disk alone in a mode, in the plan's first span; NULL when the coordinate is another, or did not go well. */
static const struct row *row_of_portrait(const struct table *table, size_t coordinate, unsigned disk, enum mode mode)
{
	const struct row *row = row_alone(table, coordinate, disk);

	return !isnan(rate_of(row)) && row->cell->mode == mode && row->cell->access == ACCESS_RAW && row->cell->depth == 1 &&
	       span_same(&row->cell->span, &table->plan->cell->span) ? row : NULL;
}

/* Their mean latencies over the sizes. Returns how many. */
static size_t points_of(struct service_point point[LIST_MAX], const struct table *table, unsigned disk, enum mode mode)
{
	size_t points = 0;

	for (size_t coordinate = 0; coordinate < table->coordinates; coordinate++) {
		const struct row *row = row_of_portrait(table, coordinate, disk, mode);

		if (row)
			point[points++] = (struct service_point){
				.block_bytes = row->cell->block_bytes,
				.mean_ns = row->figure[FIGURE_MEAN],
				.error_ns = row->figure[FIGURE_STDEV] / sqrt(row->figure[FIGURE_REQUESTS]),
			};
	}
	return points;
}

/* The latencies of its smallest random reads. */
static const struct draws *smallest_draws(const struct scaling *scaling, const struct table *table, unsigned disk)
{
	const struct cell *smallest = NULL;

	for (size_t coordinate = 0; coordinate < table->coordinates; coordinate++) {
		const struct row *row = row_of_portrait(table, coordinate, disk, MODE_RANDOM);

		if (row && (!smallest || row->cell->block_bytes < smallest->block_bytes))
			smallest = row->cell;
	}
	return smallest ? scaling->draws[smallest - table->plan->cell] : NULL;
}

static struct portrait portrait_of(const struct scaling *scaling, const struct table *table, unsigned disk)
{
	const struct draws *draws = smallest_draws(scaling, table, disk);
	struct service_point point[LIST_MAX];
	struct portrait portrait = { .linear = NAN, .first_ns = NAN, .last_ns = NAN };

	portrait.random = service_fit(point, points_of(point, table, disk, MODE_RANDOM));
	portrait.reread = service_fit(point, points_of(point, table, disk, MODE_REREAD));
	for (size_t i = points_of(point, table, disk, MODE_LINEAR); i; i--)
		portrait.linear = fmax(portrait.linear, point[i - 1].block_bytes / point[i - 1].mean_ns * (double)NS_PER_S);
	if (draws && draws->count >= DRAWS_PER_DISK * table->plan->disks) {
		portrait.first_ns = draws_min_ns(draws, table->plan->disks);
		portrait.last_ns = draws_max_ns(draws, table->plan->disks);
	}
	return portrait;
}

static struct plateau find_plateau(const struct table *table)
{
	const unsigned disks = table->plan->disks;
	struct plateau bus = { false, NAN };

	for (size_t coordinate = 0; coordinate < table->coordinates; coordinate++) {
		const struct cell *cell = &table->plan->cell[coordinate];

		if (cell->mode == MODE_REREAD && cell->access == ACCESS_RAW && cell->depth == 1 && disks > 1)
			plateau_add(&bus, sum_alone(table, coordinate, disks), rate_of(row_of_first(table, coordinate, disks)));
	}
	return bus;
}

/* Each of the first disks alone. False when one was not measured. */
static bool find_soloists(struct soloist *soloist, const struct scaling *scaling, const struct table *table, size_t coordinate,
			  unsigned disks)
{
	for (unsigned disk = 0; disk < disks; disk++) {
		const struct row *row = row_alone(table, coordinate, disk);
		const struct draws *draws = row ? scaling->draws[row->cell - table->plan->cell] : NULL;

		if (!draws || isnan(rate_of(row)))
			return false;
		soloist[disk] = (struct soloist){ row->figure[FIGURE_MEAN], draws };
	}
	return true;
}

/* Strict rounds where they were seen, else the middle between what queueing allows and what it may not exceed. */
static double choose(const struct step *step)
{
	const struct prediction *prediction = &step->prediction;

	if (step->rounds.reads && step->rounds.verdict == ROUNDS_STRICT)
		return prediction->rounds;
	return (prediction->queueing + prediction->bound) / 2;
}

static int foresee(struct step *step, const struct scaling *scaling, const struct table *table, size_t coordinate)
{
	const unsigned disks = step->cell->disks;
	const double block_bytes = step->cell->block_bytes;
	struct soloist *soloist = calloc(disks, sizeof *soloist);

	if (!soloist)
		return -ENOMEM;
	if (find_soloists(soloist, scaling, table, coordinate, disks)) {
		step->prediction = predict(soloist, disks, block_bytes, &scaling->bus,
					   rng_mix(table->plan->limits.seed, step->cell->block_bytes));
		step->predicted = choose(step);
		if (scaling->bus.saturated)
			step->knee = knee_disks(disks * block_bytes / step->prediction.naive * (double)NS_PER_S, block_bytes,
						scaling->bus.rate);
	}
	free(soloist);
	return 0;
}

static int add_step(struct scaling *scaling, const struct table *table, size_t coordinate, unsigned disks)
{
	const struct row *row = row_of_first(table, coordinate, disks);
	struct step *step = &scaling->step[scaling->steps];

	if (!row)
		return 0;
	scaling->steps++;
	*step = (struct step){
		.cell = row->cell,
		.requests_per_second = figure_of(row, FIGURE_REQUEST_RATE),
		.bytes_per_second = rate_of(row),
		.alone = sum_alone(table, coordinate, disks),
		.one = sum_alone(table, coordinate, 1),
		.prediction = { NAN, NAN, NAN, NAN },
		.predicted = NAN,
		.knee = NAN,
		.rounds = scaling->rounds[row->cell - table->plan->cell],
	};
	return disks > 1 && scaling_models(row->cell) ? foresee(step, scaling, table, coordinate) : 0;
}

static int add_steps(struct scaling *scaling, const struct table *table)
{
	for (size_t coordinate = 0; coordinate < table->coordinates; coordinate++)
		for (unsigned disks = 1; disks <= table->plan->disks; disks++)
			if (add_step(scaling, table, coordinate, disks) < 0)
				return -ENOMEM;
	return 0;
}

static void find_accuracies(struct scaling *scaling)
{
	for (enum way way = 0; way < WAYS; way++)
		scaling->accuracy[way] = (struct accuracy){ 0, 0, NAN, NAN };
	for (const struct step *step = scaling->step; step < scaling->step + scaling->steps; step++) {
		const struct prediction *p = &step->prediction;
		const double predicted[WAYS] = { p->naive, p->bound, p->queueing, p->rounds, step->predicted };

		for (enum way way = 0; way < WAYS; way++)
			accuracy_add(&scaling->accuracy[way], predicted[way], step->bytes_per_second);
	}
}

int scaling_finish(struct scaling *scaling, const struct row *row, size_t rows)
{
	const struct plan *plan = scaling->plan;
	struct table table;
	int result = -ENOMEM;

	if (!scaling->draws)
		return 0;
	if (table_init(&table, plan, row, rows) < 0)
		return -ENOMEM;
	scaling->step = calloc(plan->cells, sizeof *scaling->step);
	scaling->portrait = calloc(plan->disks, sizeof *scaling->portrait);
	if (scaling->step && scaling->portrait) {
		for (unsigned disk = 0; disk < plan->disks; disk++)
			scaling->portrait[disk] = portrait_of(scaling, &table, disk);
		scaling->bus = find_plateau(&table);
		result = add_steps(scaling, &table);
	}
	free(table.all);
	find_accuracies(scaling);
	return result;
}
