#!/bin/bash
# The program that is launched: says which rank runs on which host, in a file of its own of the folder that it is given.
echo "RANK $OMPI_COMM_WORLD_RANK HOST $(hostname) GPU ${CUDA_VISIBLE_DEVICES:-none}" > "$1/$OMPI_COMM_WORLD_RANK"
