/*
 * The kernel of server/mapping/annealing/trials.ts once more in C: the same draws, the same trials, the
 * same end, so that only the speed differs. One place per site, costs of one byte.
 * anneal FILE TRIALS TEMPERATURE prints the seconds of CPU time and by how much the cost grew.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static FILE *input;

static void *take(size_t count, size_t size) {
  void *values = malloc(count * size + 1);
  if (values == NULL || fread(values, size, count, input) != count) exit(1);
  return values;
}

static int tasks, sites, edges, per_site, table_size, movers;
static int32_t *row_start, *partner, *near_site, *row_of_site, *column_of_site, *site_of_task, *mover, *generator;
static double *weight, *floor_of_task, *threshold, *cost_of_task;
static uint8_t *table;
static int32_t *column_of_task, *task_at_site;

static double cost_at(int task, int row) {
  double sum = 0;
  for (int edge = row_start[task]; edge < row_start[task + 1]; edge++)
    sum += weight[edge] * table[row + column_of_task[partner[edge]]];
  return sum;
}

static void shift_partners(int task, int from_row, int to_row) {
  for (int edge = row_start[task]; edge < row_start[task + 1]; edge++) {
    int column = column_of_task[partner[edge]];
    cost_of_task[partner[edge]] += weight[edge] * (table[to_row + column] - table[from_row + column]);
  }
}

static void seat(int task, int site) {
  site_of_task[task] = site;
  column_of_task[task] = column_of_site[site];
  task_at_site[site] = task;
}

static double exchange(int task, int to) {
  int other = task_at_site[to], from = site_of_task[task];
  double before = cost_of_task[task] + (other < 0 ? 0 : cost_of_task[other]);
  shift_partners(task, row_of_site[from], row_of_site[to]);
  if (other >= 0) shift_partners(other, row_of_site[to], row_of_site[from]);
  seat(task, to);
  task_at_site[from] = other;
  if (other >= 0) seat(other, from);
  cost_of_task[task] = cost_at(task, row_of_site[to]);
  if (other < 0) return cost_of_task[task] - before;
  cost_of_task[other] = cost_at(other, row_of_site[from]);
  return cost_of_task[task] + cost_of_task[other] - before;
}

static double joint_weight(int task, int other) {
  for (int edge = row_start[task]; edge < row_start[task + 1]; edge++)
    if (partner[edge] == other) return weight[edge];
  return 0;
}

static uint32_t a, b, c, counter;

static inline uint32_t draw(void) {
  uint32_t word = a + b + counter++;
  a = b ^ (b >> 9);
  b = c + (c << 3);
  c = ((c << 21) | (c >> 11)) + word;
  return word;
}

static double run_trials(long trials, double temperature) {
  double gain = 0;
  int next = 0;
  for (long trial = 0; trial < trials; trial++) {
    uint32_t word = draw();
    int task = mover[next];
    next = next + 1 == movers ? 0 : next + 1;
    int start = row_start[task], end = row_start[task + 1];
    int friend = partner[start + (((word >> 16) * (end - start)) >> 16)];
    int to = near_site[site_of_task[friend] * per_site + (((word & 0xffff) * per_site) >> 16)];
    word = draw();
    int from = site_of_task[task];
    if (to == from) continue;
    int other = task_at_site[to], to_row = row_of_site[to], from_row = row_of_site[from];
    double most = temperature * threshold[word >> 20] + cost_of_task[task];
    double fresh = cost_at(task, to_row);
    if (other >= 0) {
      most += cost_of_task[other];
      if (fresh + floor_of_task[other] > most) continue;
      fresh += cost_at(other, from_row);
      if (fresh > most) continue;
      int column = column_of_site[to];
      fresh += 2 * joint_weight(task, other) * (table[from_row + column] - table[to_row + column]);
    }
    if (fresh <= most) gain += exchange(task, to);
  }
  return gain;
}

int main(int count, char **arguments) {
  if (count != 4 || (input = fopen(arguments[1], "rb")) == NULL) return 2;
  int32_t *sizes = take(6, 4);
  tasks = sizes[0], sites = sizes[1], edges = sizes[2], per_site = sizes[3], table_size = sizes[4], movers = sizes[5];
  weight = take(edges, 8), floor_of_task = take(tasks, 8), threshold = take(4096, 8);
  row_start = take(tasks + 1, 4), partner = take(edges, 4), near_site = take((size_t)sites * per_site, 4);
  row_of_site = take(sites, 4), column_of_site = take(sites, 4), site_of_task = take(tasks, 4);
  mover = take(movers, 4), generator = take(4, 4), table = take(table_size, 1);
  a = generator[0], b = generator[1], c = generator[2], counter = generator[3];
  column_of_task = malloc(4L * tasks), task_at_site = malloc(4L * sites), cost_of_task = malloc(8L * tasks);
  for (int site = 0; site < sites; site++) task_at_site[site] = -1;
  for (int task = 0; task < tasks; task++) seat(task, site_of_task[task]);
  for (int task = 0; task < tasks; task++) cost_of_task[task] = cost_at(task, row_of_site[site_of_task[task]]);
  clock_t started = clock();
  double gain = run_trials(atol(arguments[2]), atof(arguments[3]));
  printf("%.6f %.0f\n", (double)(clock() - started) / CLOCKS_PER_SEC, gain);
  return 0;
}
