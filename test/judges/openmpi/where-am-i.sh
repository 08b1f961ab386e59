#!/bin/bash
# The program that is launched: says which rank runs on which host.
echo "RANK $OMPI_COMM_WORLD_RANK HOST $(hostname) GPU ${CUDA_VISIBLE_DEVICES:-none}"
